const light = `
  --canvas: #f9fafb; --surface: #fff; --raised: #f2f3f5; --line: #e8e9ed; --line-strong: #d6d8de;
  --text: #151821; --dim: #5f636d; --iris: #4b4fdd; --iris-soft: #eceefe;
  --read-back: #eff0f3; --read-text: #3b3f49;
  --write-back: #dcedfd; --write-text: #0b3f73;
  --deny-back: #fde3e3; --deny-text: #7d1518;
  --ask-back: #fdead2; --ask-text: #6d3b05;
  --press: #4b4fdd; --press-hover: #3c3fb9; --on-press: #fff;`

const dark = `
  --canvas: #090b10; --surface: #111419; --raised: #1c2027; --line: #25282f; --line-strong: #343841;
  --text: #ecedef; --dim: #a3a6ad; --iris: #a5acff; --iris-soft: #1e2145;
  --read-back: #262a31; --read-text: #cfd1d6;
  --write-back: #10283f; --write-text: #a9d4ff;
  --deny-back: #3a1517; --deny-text: #ffb9b9;
  --ask-back: #37240c; --ask-text: #ffd09a;`

const tokens = `
@font-face { font-family: 'Inter Variable'; font-weight: 100 900; font-display: swap; src: url(/assets/fonts/inter) format('woff2'); }
@font-face { font-family: 'Geist Mono Variable'; font-weight: 100 900; font-display: swap; src: url(/assets/fonts/geist-mono) format('woff2'); }
:root { color-scheme: light dark;${light} }
@media (prefers-color-scheme: dark) { :root {${dark} } }`

const elements = `
* { box-sizing: border-box; }
html { scroll-padding-top: 64px; }
body { margin: 0; background: var(--canvas); color: var(--text); font: 13px/1.55 'Inter Variable', Inter, ui-sans-serif, system-ui, sans-serif; font-variant-numeric: tabular-nums; }
h1 { font-size: 20px; line-height: 1.3; font-weight: 600; letter-spacing: -.012em; margin: 0; }
h2 { font-size: 15px; font-weight: 600; margin: 0; }
h3 { font-size: 13px; font-weight: 600; margin: 0; }
p { margin: 0 0 8px; }
a { color: var(--iris); text-underline-offset: 2px; }
code, pre { font: 12px/1.55 'Geist Mono Variable', ui-monospace, 'SF Mono', Menlo, monospace; }
p code, li code, td code { background: var(--raised); border-radius: 4px; padding: 1px 4px; overflow-wrap: anywhere; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: 12px; margin: 8px 0; overflow-x: auto; text-align: left; }
button, input { font: inherit; height: 36px; border-radius: 8px; border: 1px solid var(--line-strong); padding: 0 12px; color: var(--text); background: var(--surface); }
button { font-weight: 500; cursor: pointer; }
button.quiet { height: 28px; background: none; color: var(--dim); }
button:hover { background: var(--raised); }
:focus-visible { outline: 2px solid var(--iris); outline-offset: 2px; }
.dim, .meta { color: var(--dim); }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 8px; top: 8px; background: var(--surface); padding: 8px; z-index: 2; }`

const frame = `
.top { position: sticky; top: 0; z-index: 1; display: flex; align-items: center; gap: 24px; height: 48px; padding: 0 24px; background: var(--surface); border-bottom: 1px solid var(--line); }
.top nav { display: flex; gap: 4px; flex: 1; }
.top nav a { color: var(--dim); text-decoration: none; padding: 4px 10px; border-radius: 8px; font-weight: 500; }
.top nav a:hover { color: var(--text); background: var(--raised); }
.top nav a[aria-current] { color: var(--iris); background: var(--iris-soft); }
.brand { display: flex; align-items: center; gap: 8px; color: var(--text); font-weight: 600; font-size: 14px; text-decoration: none; }
main { padding: 24px; max-width: 1180px; margin: 0 auto; }
.head { display: flex; flex-wrap: wrap; gap: 16px; justify-content: space-between; align-items: flex-end; margin-bottom: 24px; }
.head p { margin: 2px 0 0; }
.plain { min-height: 100vh; display: flex; flex-direction: column; justify-content: center; padding: 24px 16px; }
.plain .top { position: static; height: auto; padding: 0; background: none; border: 0; justify-content: center; }
.plain .brand { font-size: 15px; }
.plain main { width: 100%; max-width: 400px; padding: 16px 0 10vh; }
.plain main:has(pre) { max-width: 520px; }
.notice { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 24px; overflow-wrap: anywhere; }
.notice h1 { margin-bottom: 12px; }
.notice ol { padding-left: 18px; margin: 12px 0 16px; }
.notice li { margin: 6px 0; }
.notice > :last-child { margin-bottom: 0; }
.badge { border-radius: 6px; padding: 1px 7px; font-size: 12px; font-weight: 500; background: var(--read-back); color: var(--read-text); white-space: nowrap; }
.badge.write, .badge.post, .badge.put { background: var(--write-back); color: var(--write-text); }
.badge.destructive, .badge.delete { background: var(--deny-back); color: var(--deny-text); }
.badge.ask { background: var(--ask-back); color: var(--ask-text); }`

const docs = `
.docs { display: grid; grid-template-columns: 230px minmax(0, 1fr); gap: 40px; }
.toc { position: sticky; top: 72px; align-self: start; max-height: calc(100vh - 96px); overflow-y: auto; }
.toc h2 { font-size: 12px; color: var(--dim); font-weight: 500; margin: 16px 0 4px; }
.toc ul { list-style: none; margin: 0; padding: 0; }
.toc a { display: block; color: var(--text); text-decoration: none; padding: 3px 8px; border-radius: 6px; }
.toc a:hover { background: var(--raised); }
.part { margin-bottom: 40px; }
.part > p { color: var(--dim); }
.operation { background: var(--surface); border: 1px solid var(--line); border-radius: 8px; padding: 16px; margin: 12px 0; }
.operation:target { border-color: var(--iris); }
.operation h3 { font-size: 15px; margin-bottom: 4px; }
.operation h4 { font-size: 12px; color: var(--dim); font-weight: 500; margin: 16px 0 4px; }
.address { display: flex; gap: 8px; align-items: center; margin-bottom: 8px; overflow-wrap: anywhere; }
.badge.method { text-transform: uppercase; font-size: 11px; letter-spacing: .02em; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-weight: 500; color: var(--dim); font-size: 12px; }
th, td { padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child td { border-bottom: 0; }
td p { margin: 0; }
td:first-child { white-space: nowrap; }
.required { color: var(--deny-text); font-size: 11px; }
details { margin-top: 6px; }
summary { cursor: pointer; color: var(--dim); }
@media (max-width: 800px) { .docs { display: block; } .toc { position: static; max-height: none; margin-bottom: 24px; } }
@media print { .top, .toc { display: none; } .docs { display: block; } }`

const forms = `
.form { display: flex; flex-direction: column; gap: 14px; margin: 16px 0; }
.field label { display: block; font-weight: 500; margin-bottom: 4px; }
.field p { margin: 0 0 4px; font-size: 12px; }
.field input { width: 100%; font-size: 14px; }
.field input[readonly] { background: var(--raised); color: var(--dim); }
.field input[aria-invalid] { border-color: var(--deny-text); }
.notice details { margin: 16px 0; }
.or { display: flex; align-items: center; gap: 12px; color: var(--dim); margin: 16px 0; }
.or::before, .or::after { content: ''; flex: 1; border-top: 1px solid var(--line); }
.fault { color: var(--deny-text); background: var(--deny-back); border-radius: 8px; padding: 8px 12px; }
.field .fault { margin: 4px 0 0; padding: 0; background: none; }
button.primary { background: var(--press); border-color: var(--press); color: var(--on-press); font-weight: 600; }
button.primary:hover { background: var(--press-hover); }
.button { display: flex; align-items: center; justify-content: center; min-height: 36px; border: 1px solid var(--line-strong); border-radius: 8px; padding: 4px 12px; background: var(--surface); color: var(--text); font-weight: 500; text-decoration: none; }
.button:hover { background: var(--raised); }`

/** The style sheet of the pages beside the console. Its tokens and fonts are the console's. */
export const styleSheet = [tokens, elements, frame, docs, forms].join('\n')

/** The colours chosen in the console, which override the system's. */
export function chosenStyles(scheme: string | undefined): string {
  if (scheme === 'dark') return `:root { color-scheme: dark;${dark} }\n`
  return scheme === 'light' ? `:root { color-scheme: light;${light} }\n` : ''
}
