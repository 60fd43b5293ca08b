import { useEffect, useState } from 'react'
import { findLanguage, loadParser } from './languages.ts'
import { tokenize } from './tokenize.ts'
import type { Token } from './tokenize.ts'

interface CodeFacts {
  language: string | undefined
  path: string | undefined
}

/** The tokens of these lines, once the rules of their language are here; none for other languages. */
export function useTokens(lines: readonly string[], { language, path }: CodeFacts): Token[][] {
  const [drawn, setDrawn] = useState<{ of: readonly string[]; tokens: Token[][] }>()
  const found = findLanguage(language, path)
  useEffect(() => {
    if (found === undefined) return
    let isGone = false
    async function draw(name: NonNullable<typeof found>): Promise<void> {
      const parser = await loadParser(name)
      if (!isGone) setDrawn({ of: lines, tokens: tokenize(lines, parser) })
    }
    // Without its rules a text is plain: nothing of it is lost.
    draw(found).catch(() => undefined)
    return () => {
      isGone = true
    }
  }, [lines, found])
  return drawn?.of === lines && found !== undefined ? drawn.tokens : none
}

const none: Token[][] = []
