/** The console's style sheet: system fonts, two colour schemes, tables that scroll on a narrow screen. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: #fbfbfa; --raised: #ffffff; --ink: #22262a; --soft: #5c656e; --line: #dfe2e5;
  --accent: #0b6bcb; --on-accent: #ffffff; --warn: #a3360c; --good: #17703c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #16181b; --raised: #1e2125; --ink: #e4e6e9; --soft: #9aa3ad; --line: #343a41;
    --accent: #6db3f8; --on-accent: #10243a; --warn: #f0a283; --good: #7fd1a0;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
header { border-bottom: 1px solid var(--line); background: var(--raised); }
header > div, main { max-width: 72rem; margin: 0 auto; padding: 0 1.25rem; }
header > div { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 1.5rem; padding-block: .75rem; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
nav a { color: var(--soft); text-decoration: none; }
nav a:hover, nav a[aria-current] { color: var(--ink); text-decoration: underline; text-underline-offset: .35em; }
main { padding-block: 1.5rem 4rem; }
h1 { font-size: 1.5rem; margin: 0 0 1rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .75rem; }
a { color: var(--accent); }
.soft { color: var(--soft); } .warn { color: var(--warn); } .good { color: var(--good); }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)); gap: 1rem; }
.card, form.panel { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: 1rem; }
.card b { display: block; font-size: 1.4rem; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; background: var(--raised); }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .45rem .75rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
tr:last-child td { border-bottom: 0; }
th { color: var(--soft); font-weight: 600; } .number { text-align: right; font-variant-numeric: tabular-nums; }
code, .value { font-family: ui-monospace, monospace; font-size: .92em; }
.value { display: block; padding: .75rem; overflow-wrap: anywhere; user-select: all; border: 1px dashed var(--accent); border-radius: 6px; }
form.panel { display: grid; gap: .9rem; max-width: 34rem; } form.inline { display: inline; }
label { display: grid; gap: .25rem; } fieldset { border: 0; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
legend { padding: 0; margin-bottom: .25rem; } fieldset label, label.check { display: flex; gap: .5rem; align-items: center; }
input, button, select { font: inherit; color: inherit; }
input:not([type=checkbox]), select { padding: .4rem .6rem; border: 1px solid var(--line); border-radius: 6px; background: var(--ground); }
button { padding: .4rem .9rem; border: 1px solid var(--line); border-radius: 6px; background: var(--raised); cursor: pointer; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); justify-self: start; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
details > summary { cursor: pointer; color: var(--soft); }
`;
