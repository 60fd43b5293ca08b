/** As much as `web.fetch` reads of a page. */
const size = 4_999_000

/** Pages of 5 MB, each of a kind on which converters take quadratic time or all memory. */
export function hostilePages(): Record<string, string> {
  return {
    '/nested': fill('<div>'),
    '/inline': fill('<b><i><a href="/x">'),
    '/unclosed': fill('<p><li><td><tr><table>'),
    '/attributes': `<div ${fill('a="b" ')}>text</div>`,
    '/styles': fill('<p style="color:red;display:block;display:none;opacity:.1">text</p>'),
    '/links': fill('<a href="../../../a/b/c/../../d?e=f#g">[link](x)</a> '),
    '/tables': `<table>${fill('<tr><td>|<td>x<th>')}</table>`,
    '/entities': fill('&amp;&lt;&#x41;&notit;&'),
    '/spaces': `<pre>${' '.repeat(size)}</pre>`,
    '/comments': fill('<!--'),
    '/lists': fill('<ul><li>a'),
    '/quotes': fill('<blockquote>a'),
  }
}

function fill(text: string): string {
  return text.repeat(Math.ceil(size / text.length)).slice(0, size)
}
