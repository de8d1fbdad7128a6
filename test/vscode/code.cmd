@"%~dp0..\..\node_modules\node\bin\node.exe" "%~dp0code.ts" %*
