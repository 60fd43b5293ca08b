/** One state of the automaton: the last characters read that are also the start of a pattern. */
export interface AutomatonNode {
  readonly unit: number
  readonly depth: number
  child: AutomatonNode | undefined
  sibling: AutomatonNode | undefined
  /** The next node when no child matches: that of the longest shorter suffix. */
  fail: AutomatonNode | undefined
  /** Length of the longest pattern that ends here, 0 for none, and its name. */
  matchLength: number
  matchName: string
  /**
   * Length of the longest revealing prefix of a pattern that ends here, 0 for none, and its name.
   */
  guardLength: number
  guardName: string
  /** How many of the last characters may start an incomplete pattern. */
  openLength: number
}

export interface Automaton {
  readonly root: AutomatonNode
  next(node: AutomatonNode, unit: number): AutomatonNode
}

const asciiSize = 128

/**
 * From this length on, the prefix of a pattern reveals something: a third of it, but not so short
 * that ordinary words match, nor so long that most of a long secret would be shown.
 */
function tellingLength({ length }: string): number {
  return Math.min(12, Math.max(4, Math.floor(length / 3)))
}

/**
 * A machine that reads a text character by character and at each knows the longest pattern that
 * ends there (Aho-Corasick). Its cost depends only on the length of the text: a secret of a
 * thousand equal letters, in a text of such letters, costs no more than any other.
 */
export function toAutomaton(patterns: ReadonlyMap<string, string>): Automaton {
  const root = createNode(0, 0)
  for (const [pattern, name] of patterns) addPattern(root, pattern, name)
  // Most characters meet the root, which has the most children: they are looked up, not searched.
  const ascii = Array.from({ length: asciiSize }, (_, unit) => findChild(root, unit))
  const findFromRoot = (unit: number) => (unit < asciiSize ? ascii[unit] : findChild(root, unit))

  const next = (node: AutomatonNode, unit: number): AutomatonNode => {
    for (let from = node; from !== root; from = from.fail ?? root) {
      const child = findChild(from, unit)
      if (child) return child
    }
    return findFromRoot(unit) ?? root
  }
  linkNodes(root, next)
  return { root, next }
}

function createNode(unit: number, depth: number): AutomatonNode {
  return {
    unit,
    depth,
    child: undefined,
    sibling: undefined,
    fail: undefined,
    matchLength: 0,
    matchName: '',
    guardLength: 0,
    guardName: '',
    openLength: 0,
  }
}

function addPattern(root: AutomatonNode, pattern: string, name: string): void {
  let node = root
  const telling = tellingLength(pattern)
  for (let index = 0; index < pattern.length; index++) {
    const unit = pattern.charCodeAt(index)
    let child = findChild(node, unit)
    if (!child) {
      child = createNode(unit, index + 1)
      child.sibling = node.child
      node.child = child
    }
    node = child
    if (node.depth < telling || node.guardLength > 0) continue
    node.guardLength = node.depth
    node.guardName = name
  }
  if (node === root) return
  node.matchLength = pattern.length
  node.matchName = name
}

function findChild(node: AutomatonNode, unit: number): AutomatonNode | undefined {
  let child = node.child
  while (child && child.unit !== unit) child = child.sibling
  return child
}

/**
 * By increasing depth, because a node's fail link always leads to a shallower node that is already
 * complete.
 */
function linkNodes(root: AutomatonNode, next: Automaton['next']): void {
  const queue = [root]
  for (const node of queue) {
    for (let child = node.child; child; child = child.sibling) {
      const fail = node === root ? root : next(node.fail ?? root, child.unit)
      child.fail = fail
      if (child.matchLength === 0) {
        child.matchLength = fail.matchLength
        child.matchName = fail.matchName
      }
      if (child.guardLength === 0) {
        child.guardLength = fail.guardLength
        child.guardName = fail.guardName
      }
      child.openLength = child.child ? child.depth : fail.openLength
      queue.push(child)
    }
  }
}
