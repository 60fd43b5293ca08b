import type { SessionFlag } from '../../../../core/flow/session-flags.ts'
import type { Explanation, LayerVerdict } from '../../../../core/policy/scope.ts'
import { counted } from '../../output/counted.ts'
import { showRule, showWrapped, toWays } from '../../output/rule-lines.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import type { Format, Screen } from '../../output/screen.ts'
import { pad, widthOf } from '../../output/text-width.ts'

const verdictFormats: Readonly<Record<Explanation['verdict'], Format>> = {
  allow: 'green',
  ask: 'yellow',
  deny: 'red',
}
const marks: Readonly<Record<Explanation['verdict'], string>> = { allow: '✓', ask: '?', deny: '✗' }

/** A summary, then every tool with the rule that stops it. */
export function showAll(screen: Screen, items: readonly Explanation[]): void {
  if (items.length === 0) {
    screen.out('There are no tools at all.')
    screen.out('→ toolcrib init writes a first tool; toolcrib check shows why files do not load.')
    return
  }
  showWrapped(screen, toSummary(items), { indent: 0 })
  screen.out('')
  // Names line up, unless they would leave no room for the reasons.
  const widest = Math.max(...items.map(({ tool }) => widthOf(toSafeLine(tool))))
  const column = widest + 4 <= screen.width / 2 ? widest : 0
  for (const item of items) showLine(screen, item, column)
  screen.out('')
  showWrapped(screen, '--tool <name> shows every layer and who set it.', {
    indent: 0,
    format: 'dim',
  })
}

/** `12 tools: 7 allowed, 2 asked about, 3 hidden (2 by grants, 1 by needs)`. */
export function toSummary(items: readonly Explanation[]): string {
  const count = (verdict: Explanation['verdict']) =>
    items.filter((item) => item.verdict === verdict).length
  const layers = new Map<string, number>()
  for (const { visible, stoppedBy = '' } of items) {
    if (!visible) layers.set(stoppedBy, (layers.get(stoppedBy) ?? 0) + 1)
  }
  const by = [...layers].map(([layer, number]) => `${number} by ${toSafeLine(layer)}`).join(', ')
  const hidden = count('deny') === 0 ? '0 hidden' : `${count('deny')} hidden (${by})`
  return `${counted(items.length, 'tool')}: ${count('allow')} allowed, ${count('ask')} asked about, ${hidden}`
}

function showLine(screen: Screen, item: Explanation, column: number): void {
  const { tool, verdict } = item
  const mark = screen.style(verdictFormats[verdict], marks[verdict])
  const name = screen.style('cyan', pad(toSafeLine(tool), column))
  const [reason, way] = reasonOf(item)
  if (reason === undefined) return screen.out(`${mark} ${name}`.trimEnd())
  const text = way === undefined ? reason : `${reason} → ${way}`
  if (column > 0 && column + 4 + widthOf(text) <= screen.width) {
    return screen.out(`${mark} ${name}  ${text}`)
  }
  screen.out(`${mark} ${name}`.trimEnd())
  showWrapped(screen, reason, { indent: 4 })
  if (way !== undefined) showWrapped(screen, `→ ${way}`, { indent: 4 })
}

/** The rule that hides a tool or requires approval, and the first way to change that. */
function reasonOf({ layers, asks = [] }: Explanation): [reason?: string, way?: string] {
  const stop = layers.find(({ passes }) => !passes)
  const rule = stop ?? asks[0]
  if (rule === undefined) return []
  const more = asks.length > 1 ? ` (and ${asks.length - 1} more)` : ''
  const [way = rule.fix] = rule.change === undefined ? [] : toWays(rule.change)
  const reason = `${rule.layer}: ${toSafeLine(rule.reason)}${more}`
  return way === undefined ? [reason] : [reason, toSafeLine(way)]
}

/** One tool with the verdict of every layer. */
export function showOne(screen: Screen, item: Explanation): void {
  const { layers, asks = [], labels } = item
  showHead(screen, item)
  screen.out('')
  for (const layer of layers) showLayer(screen, layer)
  for (const ask of asks) {
    showWrapped(screen, `? ${ask.layer}: ${toSafeLine(ask.reason)}`, { indent: 0 })
    showRule(screen, ask, 4)
  }
  if (labels === undefined) return
  const reads = labels.reads.length === 0 ? 'nothing labelled' : labels.reads.join(' and ')
  screen.out('')
  showWrapped(screen, `reads ${reads}; effect ${labels.effects}`, { indent: 0 })
  showRule(screen, { setBy: labels.setBy.join(', ') }, 2)
}

function showHead(screen: Screen, { tool, visible, verdict, stoppedBy }: Explanation): void {
  const name = toSafeLine(tool)
  const stop = visible || stoppedBy === undefined ? '' : `, stopped by ${toSafeLine(stoppedBy)}`
  const seen = visible ? 'seen' : 'hidden'
  const plain = `${name}: ${seen}, ${verdict}${stop}`
  // Colour codes would count as columns, so wrapped lines are plain.
  if (widthOf(plain) > screen.width) return showWrapped(screen, plain, { indent: 0 })
  const word = screen.style(verdictFormats[verdict], verdict)
  screen.out(`${screen.style('bold', name)}: ${seen}, ${word}${stop}`)
}

function showLayer(screen: Screen, verdict: LayerVerdict): void {
  const { layer, passes, reason } = verdict
  const mark = passes ? screen.style('green', '✓') : screen.style('red', '✗')
  const line = `${layer.padEnd(10)} ${toSafeLine(reason)}`
  if (widthOf(line) + 2 <= screen.width) {
    screen.out(`${mark} ${line}`)
  } else {
    screen.out(`${mark} ${layer}`)
    showWrapped(screen, toSafeLine(reason), { indent: 4 })
  }
  if (!passes) showRule(screen, verdict, 4)
}

/** The flags of a session. */
export function showFlags(screen: Screen, session: string, flags: readonly SessionFlag[]): void {
  const name = toSafeLine(session)
  if (flags.length === 0) {
    showWrapped(screen, `Session ${name} has seen neither untrusted nor private data.`, {
      indent: 0,
    })
  }
  for (const { kind, tool, callId, raisedAt } of flags) {
    const text = `Session ${name} has seen ${kind} data since ${raisedAt}: ${tool}, ${callId}`
    showWrapped(screen, toSafeLine(text), { indent: 0 })
  }
  screen.out('')
}
