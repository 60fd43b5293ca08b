import { useQuery } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'

const none: readonly Api<'ToolFileProblem'>[] = []

/** Tool files that fail to load, for people who maintain tools. */
export function useToolFileProblems(): readonly Api<'ToolFileProblem'>[] {
  const mayKnow = useCan('tools.approve')
  const { data } = useQuery({
    queryKey: ['tool-files'],
    queryFn: () => read(api.GET('/api/v1/tool-files')),
    enabled: mayKnow,
  })
  return data?.items ?? none
}

/** `tools/roi.tool.ts:12:3`, as editors accept it. */
export function formatPlace({ file, line, column }: Api<'ToolFileProblem'>): string {
  return [file, line, line === undefined ? undefined : column]
    .filter((part) => part !== undefined)
    .join(':')
}
