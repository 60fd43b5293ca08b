/** The mark: three pieces on a shelf. */
export const iconSvg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#5a62f4" stroke-width="2" stroke-linejoin="round" stroke-linecap="round"><path d="M12 3l4 2.3v4.6L12 12.2 8 9.9V5.3z"/><path d="M7.5 12.2l4 2.3v4.4l-4 2.3-4-2.3v-4.4z"/><path d="M16.5 12.2l4 2.3v4.4l-4 2.3-4-2.3v-4.4z"/></svg>`

const tokens = `
:root {
  color-scheme: light dark;
  --canvas: #f9fafb; --surface: #fff; --raised: #f2f3f5; --line: #e8e9ed;
  --text: #151821; --dim: #666a74; --iris: #4b4fdd; --iris-soft: #eceefe;
  --read-back: #eff0f3; --read-text: #3b3f49;
  --write-back: #dcedfd; --write-text: #0b3f73;
  --deny-back: #fde3e3; --deny-text: #7d1518;
  --ask-back: #fdead2; --ask-text: #6d3b05;
  --allow-back: #dbf3e4; --allow-text: #0e4a2a;
  --edge: #868b97;
}
@media (prefers-color-scheme: dark) {
  :root {
    --canvas: #090b10; --surface: #0e1015; --raised: #191c22; --line: #25282f;
    --text: #ecedef; --dim: #a3a6ad; --iris: #9aa0ff; --iris-soft: #1b1e3a;
    --read-back: #25282f; --read-text: #cfd1d6;
    --write-back: #10283f; --write-text: #a9d4ff;
    --deny-back: #3a1517; --deny-text: #ffb9b9;
    --ask-back: #37240c; --ask-text: #ffd09a;
    --allow-back: #0d2c1c; --allow-text: #a0e6bd;
    --edge: #6b707c;
  }
}`

const elements = `
* { box-sizing: border-box; }
html { scroll-padding-top: 64px; }
body { margin: 0; background: var(--canvas); color: var(--text); font: 13px/1.55 Inter, ui-sans-serif, system-ui, sans-serif; font-variant-numeric: tabular-nums; }
h1 { font-size: 20px; line-height: 1.3; font-weight: 600; letter-spacing: -.012em; margin: 0; }
h2 { font-size: 15px; font-weight: 600; margin: 0; }
h3 { font-size: 13px; font-weight: 600; margin: 0; }
p { margin: 0 0 8px; }
a { color: var(--iris); text-underline-offset: 2px; }
code, pre { font: 12px/1.55 'Geist Mono', ui-monospace, 'SF Mono', Menlo, monospace; }
p code, li code, td code { background: var(--raised); border-radius: 4px; padding: 1px 4px; overflow-wrap: anywhere; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: 12px; margin: 8px 0; overflow-x: auto; text-align: left; }
button, input { font: inherit; height: 34px; border-radius: 8px; border: 1px solid var(--line); padding: 0 12px; color: var(--text); background: var(--surface); }
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
.search { display: flex; gap: 8px; }
.search input { width: min(280px, 60vw); }
.notice, .empty { background: var(--surface); border: 1px solid var(--line); border-radius: 8px; padding: 24px; }
.notice { max-width: 560px; margin: 8vh auto 0; }
.notice h1 { margin-bottom: 12px; }
.notice ol { padding-left: 18px; margin: 12px 0 16px; }
.notice li { margin: 6px 0; }
.empty { text-align: center; padding: 48px 24px; }
.empty h2 { margin-bottom: 8px; }
.empty pre { display: inline-block; max-width: 100%; }`

const tools = `
.pack { margin-bottom: 32px; }
.pack h2 { margin-bottom: 12px; }
.count { color: var(--dim); font-weight: 400; font-size: 12px; }
.cards { list-style: none; margin: 0; padding: 0; display: grid; gap: 12px; grid-template-columns: repeat(auto-fill, minmax(min(340px, 100%), 1fr)); }
.card { display: flex; flex-direction: column; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; padding: 14px 16px; }
.card-head { display: flex; justify-content: space-between; gap: 12px; margin-bottom: 8px; }
.card-head > div:first-child { min-width: 0; overflow-wrap: anywhere; }
.card h3 a { color: var(--text); text-decoration: none; font-size: 14px; }
.card h3 a:hover { color: var(--iris); text-decoration: underline; }
.card code { color: var(--dim); }
.card p { color: var(--dim); overflow-wrap: anywhere; }
.card p.reason { color: var(--ask-text); background: var(--ask-back); border-radius: 6px; padding: 6px 8px; }
.card .meta { margin: auto 0 0; padding-top: 8px; font-size: 12px; }
.badges { display: flex; gap: 6px; align-items: flex-start; flex: none; }
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
.form { display: flex; flex-direction: column; gap: 14px; margin: 12px 0 16px; max-width: 360px; }
.field label { display: block; font-weight: 500; margin-bottom: 4px; }
.field p { margin: 0 0 4px; font-size: 12px; }
.field input { width: 100%; border-color: var(--edge); }
.notice:has(form) { max-width: 410px; }
.notice details { margin: 16px 0; }
.or { display: flex; align-items: center; gap: 12px; color: var(--dim); margin: 16px 0; }
.or::before, .or::after { content: ''; flex: 1; border-top: 1px solid var(--line); }
.field input[readonly] { background: var(--raised); color: var(--dim); }
.field input[aria-invalid] { border-color: var(--deny-text); }
.field .fault { margin: 4px 0 0; }
.fault { color: var(--deny-text); background: var(--deny-back); border-radius: 6px; padding: 6px 8px; }
.good { color: var(--allow-text); background: var(--allow-back); border-radius: 6px; padding: 6px 8px; }
.badge.good { padding: 1px 7px; }
button.primary, .button { background: var(--iris); border-color: var(--iris); color: var(--surface); }
button.primary:hover { background: var(--iris); filter: brightness(1.1); }
.form button { align-self: flex-start; }
.button { display: inline-flex; align-items: center; justify-content: center; height: 34px; border: 1px solid var(--line); border-radius: 8px; padding: 0 12px; font-weight: 500; text-decoration: none; }
.button.wide { width: 100%; max-width: 360px; background: var(--surface); color: var(--text); border-color: var(--edge); }
.panel td:last-child { text-align: right; padding-right: 0; }
.button.wide:hover { background: var(--raised); }
button.danger { color: var(--deny-text); }
.panel { background: var(--surface); border: 1px solid var(--line); border-radius: 8px; padding: 16px 20px; margin-bottom: 16px; }
.panel h2 { margin-bottom: 8px; }
.panel > form:last-child { margin-top: 12px; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }`

/** The style sheet of every page of this door. Tokens are the console's. */
export const styleSheet = [tokens, elements, frame, tools, docs, forms].join('\n')
