const nothing = String.raw`(?=[0.])0*(?:\.0*)?(?:px|r?em|%|pt|vh|vw)?`
const end = String.raw`\s*(?:!important\s*)?(?:;|$)`
const unseenStyles = [
  String.raw`display\s*:\s*none`,
  String.raw`visibility\s*:\s*(?:hidden|collapse)`,
  String.raw`content-visibility\s*:\s*hidden`,
  String.raw`(?:font-size|opacity|max-height|max-width|zoom)\s*:\s*${nothing}${end}`,
  String.raw`(?:text-indent|left|right|top|bottom|margin-left|margin-top)\s*:\s*-\d{4}`,
  String.raw`(?:text-indent|left|right|top|bottom)\s*:\s*-\d{3,}(?:\.\d+)?(?:%|r?em|vw|vh)`,
  String.raw`clip\s*:\s*rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)`,
  String.raw`clip-path\s*:\s*(?:inset\(\s*(?:50|100)%|circle\(\s*0)`,
  String.raw`transform\s*:\s*scale[xy]?\(\s*0(?:\.0+)?\s*[,)]`,
  String.raw`color\s*:\s*transparent`,
]
const unseen = new RegExp(String.raw`(?:^|[;\s])(?:${unseenStyles.join('|')})`, 'i')
const noSize = new RegExp(String.raw`(?:^|[;\s])(?:width|height)\s*:\s*${nothing}${end}`, 'i')
const clipped = /overflow(?:-[xy])?\s*:\s*(?:hidden|clip)/i

/** Longer declarations are not written by people: only the plain ways to hide are looked for. */
const longest = 4000

/** True for declarations that keep their element from being seen. */
export function isUnseenStyle(style: string): boolean {
  if (style.length > longest) return /display:\s?none|visibility:\s?hidden/i.test(style)
  const bare = style.replaceAll(/\/\*.*?\*\//gs, '')
  return unseen.test(bare) || (clipped.test(bare) && noSize.test(bare))
}
