import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const link = /\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g
const code = /```[\s\S]*?```/g

/**
 * Follows the links of README.md from page to page, and finds those that lead nowhere in the folder.
 *
 * @param {string} folder a checkout, or the package as it was installed
 * @returns {{ pages: string[], broken: string[] }} `broken` as `page: target`
 */
export function brokenLinks(folder) {
  const pages = ['README.md']
  const broken = []
  for (const page of pages) {
    for (const target of targetsOf(folder, page)) {
      const path = relative(folder, join(folder, dirname(page), target))
      if (!existsSync(join(folder, path))) broken.push(`${page}: ${target}`)
      else if (path.endsWith('.md') && !pages.includes(path)) pages.push(path)
    }
  }
  return { pages, broken }
}

/** What a page names in its own folder or another one of ours, without anchors. */
function targetsOf(folder, page) {
  const text = readFileSync(join(folder, page), 'utf8').replaceAll(code, '')
  const targets = [...text.matchAll(link)].map(([, inText, inTag]) => inText ?? inTag)
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => target.split('#')[0])
    .filter((target) => target !== '')
}
