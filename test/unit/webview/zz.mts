import fc from 'fast-check';
import assert from 'node:assert/strict';
import { anyMarkdown, cutText, piecesOf } from '/tmp/w-hostile/test/unit/webview/anyMarkdown.ts';
import { MarkdownStream } from '/tmp/w-hostile/src/webview/markdownStream.ts';
import { parseBlocks } from '/tmp/w-hostile/src/webview/markdownParse.ts';
function run(pieces:string[]){ let blocks:any[]=[]; const s=new MarkdownStream({show(f,b){blocks=[...blocks.slice(0,f),...b]},grow(c){const l=blocks.at(-1);blocks[blocks.length-1]={...l,text:l.text+c}},replace(i,b){blocks[i]=b}}); for(const p of pieces){s.append(p);s.advance();} s.end();s.advance(); return blocks;}
fc.assert(fc.property(cutText(anyMarkdown), (c)=>{ const a=run(piecesOf(c)); assert.deepEqual(a, run([c.text])); assert.deepEqual(a, parseBlocks(c.text.replaceAll(/\r\n?/g,'\n').replaceAll('\0','\ufffd'),{}).blocks.map(b=>b.node)); }), {numRuns: Number(process.argv[2]??3000)});
console.log('ok');
