import { useQueries } from '@tanstack/react-query'
import { folderQuery } from '../workspace-queries.ts'
import type { FolderState } from './tree-rows.ts'

/** The content of the root and of every open folder; each is read when it is opened. */
export function useFolders(id: string, opened: ReadonlySet<string>) {
  const paths = ['', ...opened]
  return useQueries({
    queries: paths.map((path) => folderQuery(id, path)),
    combine: (results) => ({
      folders: new Map<string, FolderState>(
        results.map(({ data, isError }, index) => [
          paths[index] ?? '',
          data === undefined ? { hasFailed: isError } : data,
        ]),
      ),
      rootError: results[0]?.data === undefined ? results[0]?.error : undefined,
      isFetching: results.some(({ isFetching }) => isFetching),
      async refetch() {
        await Promise.all(results.map((one) => one.refetch()))
      },
    }),
  })
}
