import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const link = /\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g
const code = /```[\s\S]*?```/g

/**
 * Follows the links of README.md from page to page and finds those without a target in the folder,
 * headings included.
 *
 * @param {string} folder a checkout, or the package as it was installed
 * @returns {{ pages: string[], broken: string[] }} `broken` as `page: target`
 */
export function brokenLinks(folder) {
  const pages = ['README.md']
  const broken = []
  for (const page of pages) {
    for (const target of targetsOf(folder, page)) {
      const [file = '', anchor] = target.split('#')
      const path = file === '' ? page : relative(folder, join(folder, dirname(page), file))
      if (!hasTarget(folder, path, anchor)) broken.push(`${page}: ${target}`)
      else if (path.endsWith('.md') && !pages.includes(path)) pages.push(path)
    }
  }
  return { pages, broken }
}

/** The targets of a page's links within the folder. */
function targetsOf(folder, page) {
  const targets = [...textOf(folder, page).matchAll(link)].map(
    ([, inText, inTag]) => inText ?? inTag,
  )
  return targets.filter((target) => !/^[a-z]+:/.test(target))
}

function hasTarget(folder, path, anchor) {
  if (!existsSync(join(folder, path))) return false
  return anchor === undefined || !path.endsWith('.md') || anchorsOf(folder, path).includes(anchor)
}

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(folder, page) {
  const headings = textOf(folder, page).matchAll(/^#+ (.+)$/gm)
  return [...headings].map(([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function textOf(folder, page) {
  return readFileSync(join(folder, page), 'utf8').replaceAll(code, '')
}
