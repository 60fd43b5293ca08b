import axe from 'axe-core'

/** The rules that depend on colours. */
const colours = ['color-contrast', 'link-in-text-block']

/** The axe violations in the current colour scheme and in the other one. */
export async function violations(container: Element = document.body): Promise<string[]> {
  const root = document.documentElement
  const drawn = root.dataset['mantineColorScheme'] === 'dark' ? 'dark' : 'light'
  const other = drawn === 'dark' ? 'light' : 'dark'
  const found = await violationsOf(container, { rules: { region: { enabled: false } } })
  root.dataset['mantineColorScheme'] = other
  try {
    const inOther = await violationsOf(container, { runOnly: colours })
    return [...found, ...inOther.map((one) => `${other}: ${one}`)]
  } finally {
    root.dataset['mantineColorScheme'] = drawn
  }
}

async function violationsOf(container: Element, options: axe.RunOptions): Promise<string[]> {
  const { violations: found } = await axe.run(container, {
    ...options,
    resultTypes: ['violations'],
  })
  return found.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map(({ html, failureSummary }) => `${html.slice(0, 160)} (${failureSummary ?? ''})`)
        .join(' | ')}`,
  )
}
