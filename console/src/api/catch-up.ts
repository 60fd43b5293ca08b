import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

/** The server adds figures up once a second. */
const catchUpMs = 1500

/**
 * Asks once more after a moment: what ended just before a page was opened is in its figures then. The key
 * must be the same at every drawing.
 */
export function useCatchUp(queryKey: readonly string[]): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const timer = setTimeout(() => void queryClient.invalidateQueries({ queryKey }), catchUpMs)
    return () => clearTimeout(timer)
  }, [queryClient, queryKey])
}
