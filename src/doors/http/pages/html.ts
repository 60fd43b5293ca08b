/** HTML that is safe to put into a page as it is. Made only by the `html` tag. */
export interface Html {
  readonly markup: string
}

type Piece = Html | string | number | undefined | false | readonly Piece[]

/** Builds HTML; every value that is not itself HTML is escaped. Nothing and false leave no trace. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  let markup = strings[0] ?? ''
  for (const [i, piece] of pieces.entries()) markup += toMarkup(piece) + (strings[i + 1] ?? '')
  return { markup }
}

function toMarkup(piece: Piece): string {
  if (piece === undefined || piece === false) return ''
  if (typeof piece === 'string' || typeof piece === 'number') return escapeHtml(String(piece))
  if ('markup' in piece) return piece.markup
  return piece.map(toMarkup).join('')
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => entities[char] ?? char)
}

/** A description with `code` in backticks and blank lines between paragraphs. */
export function prose(text: string): Html {
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => {
    const parts = paragraph.split('`')
    return html`<p>${parts.map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}</p>`
  })
  return html`${paragraphs}`
}
