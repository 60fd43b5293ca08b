import type { TextKind, WrittenText } from './written-texts.ts'

/** A habit of translated English, and how to see it. */
interface Habit {
  name: string
  /** What to write instead. */
  instead: string
  pattern: RegExp
  /** Uses that are good English after all. */
  except?: RegExp
}

export const habits = [
  {
    name: 'free relative',
    instead: 'Start with the thing itself: "Omitted fields", "Callers without the role"',
    pattern:
      /^(?:Who|Whose|What|Whatever|Whichever)\b(?!['’]s\b)[^?]*$|\b(?:whoever|whomever|whatever (?:is|was|it|has|they))\b|; (?:what|who) (?!['’])/iu,
    except: /^What(?: (?:to|you|about|else|if)\b|['’])/u,
  },
  {
    name: 'is no X',
    instead: 'Write "is not a valid X", "is not an X"',
    pattern:
      /(?<!\bthere (?:\w+ ){0,2})\b(?:is|are|was|were|be) (?:none\b(?! of\b)|no (?!longer\b|more\b|less\b|fewer\b|one\b|doubt\b|different\b|better\b|worse\b|matter\b|problem\b|way\b)[a-z])/iu,
  },
  {
    name: 'speech',
    instead: 'Name the fact: reports, shows, requires, approves, "is notified", "the message"',
    pattern:
      /\b(?:tells?|told|telling|said|says)\b|\b(?:have to|has to|to|can|may|that|they|you|people) say\b|^says?\b|\b(?:a|the|one|its|their|that|every|each|remembered|without) (?:yes\b|no\b(?![ -][a-z]))|\bwithout a word\b/iu,
    except:
      /\b(?:that is to say|needless to say|one can tell|(?:tells?|told) (?:\w+ ){0,3}apart)\b/iu,
  },
  {
    name: 'movement',
    instead: 'Write continues, is, was deleted, fix, in the meantime, again',
    pattern:
      /\banew\b|\bway out\b|\b(?:is|are|was|were|be|been|has|have) gone\b|\b(?:go|goes|going|went|gone) on\b|\bmeanwhile\b|\b(?:stands?|stood|standing)\b(?! (?:for|in for|alone|by|up|out)\b|-)|\bcom(?:es?|ing) of (?:it|that|them|this)\b|\bcame of\b/iu,
  },
  {
    name: 'private term',
    instead: 'Use the term engineers search for: remove, record, store, pass on, at most',
    pattern:
      /\b(?:taken?|takes?|taking|took) away\b|\b(?:written|writes?|writing|wrote) down\b|\b(?:put|puts|laid|lay) aside\b|\bhand(?:s|ed|ing)? on\b|\bat the most\b|\bof every make\b|\bno crib\b|^So (?:much|many)\b/iu,
  },
] as const satisfies readonly Habit[]

/** One use of a habit. */
export interface Finding {
  file: string
  line: number
  kind: TextKind
  habit: string
  sentence: string
}

/** The uses of the five habits in these texts, at most one of each habit in a sentence. */
export function findHabits(texts: readonly WrittenText[]): Finding[] {
  return texts.flatMap(({ kind, file, line, text }) =>
    toSentences(text).flatMap((sentence) =>
      habits
        .filter((habit: Habit) => habit.pattern.test(sentence) && !habit.except?.test(sentence))
        .map(({ name }) => ({ kind, file, line, habit: name, sentence })),
    ),
  )
}

/** Cut at the end of sentences; the mark stays, as a question may begin with "What". */
function toSentences(text: string): string[] {
  return text
    .split(/(?<=[.!?:…]["')*_]*)\s+(?=["'(*_]*[\p{Lu}`])/u)
    .map((sentence) => sentence.replace(/^["'(*_\s]+/u, '').trim())
    .filter((sentence) => sentence !== '')
}

/** The area of the tree that a budget is for: `src/core`, `console/screens`, `docs/guide`. */
export function areaOf(file: string): string {
  const parts = file.split('/')
  if (file.startsWith('console/src/screens/')) return 'console/screens'
  if (parts[0] === 'console') return 'console'
  if (parts.length < 3) return parts[0] === 'docs' ? 'docs' : parts.length === 1 ? 'docs' : 'src'
  return parts.slice(0, 2).join('/')
}

/** How often the habits are found in one area. */
export type Counts = Record<TextKind, number>

/** The uses of each area and kind. */
export function countByArea(findings: readonly Finding[]): Record<string, Counts> {
  const counts: Record<string, Counts> = {}
  for (const { file, kind } of findings) {
    const area = (counts[areaOf(file)] ??= { texts: 0, comments: 0, titles: 0 })
    area[kind] += 1
  }
  return counts
}

/** Where the budgets are exceeded, and where they could be lowered, such as `src/core comments`. */
export function compareBudgets(
  counts: Readonly<Record<string, Counts>>,
  budgets: Readonly<Record<string, Counts>>,
): { over: string[]; under: string[] } {
  const areas = [...new Set([...Object.keys(counts), ...Object.keys(budgets)])].sort()
  const excesses = areas.flatMap((area) =>
    textKinds.map((kind) => ({
      area,
      kind,
      excess: (counts[area]?.[kind] ?? 0) - (budgets[area]?.[kind] ?? 0),
    })),
  )
  // A file that moves to another folder of the same tree takes its count along.
  const treeExcess = (tree: string, kind: TextKind) =>
    excesses
      .filter((one) => treeOf(one.area) === tree && one.kind === kind)
      .reduce((sum, { excess }) => sum + excess, 0)
  const toName = ({ area, kind }: { area: string; kind: TextKind }) => `${area} ${kind}`
  return {
    over: excesses
      .filter(({ area, kind, excess }) => excess > 0 && treeExcess(treeOf(area), kind) > 0)
      .map(toName),
    under: excesses.filter(({ excess }) => excess < 0).map(toName),
  }
}

const textKinds: readonly TextKind[] = ['texts', 'comments', 'titles']

function treeOf(area: string): string {
  return area.split('/')[0] ?? area
}
