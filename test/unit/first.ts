/** What each process of the unit tests loads before its files, so that the hooks in it are for all of them. */
import './propertyRuns.ts';
import './webview/page/panelPage.ts';
