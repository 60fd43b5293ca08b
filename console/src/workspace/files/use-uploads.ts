import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toProblem } from '../../api/problem.ts'
import { toSafeLine } from '../../output/values/safe-text.ts'
import { confirm, notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { joinPath } from '../paths.ts'
import { upload } from '../workspace-bytes.ts'
import { folderQuery } from '../workspace-queries.ts'

/** Sends files into a folder, one after the other; asks before it replaces any. */
export function useUploads(id: string, folder: string) {
  const queryClient = useQueryClient()
  const [words, setWords] = useState('')
  async function sendAll(files: readonly File[]): Promise<void> {
    const { items } = await queryClient.fetchQuery(folderQuery(id, folder))
    const known = new Set(items.map(({ path }) => path))
    const replaced = files.filter(({ name }) => known.has(joinPath(folder, name)))
    if (replaced.length > 0 && !(await mayReplace(replaced))) return
    for (const [index, file] of files.entries()) {
      setWords(`Uploading ${toSafeLine(file.name)} (${index + 1} of ${files.length})`)
      await upload(id, joinPath(folder, file.name), file)
    }
    notifySuccess(files.length === 1 ? '1 file uploaded' : `${files.length} files uploaded`)
  }
  async function send(files: File[]): Promise<void> {
    try {
      await sendAll(files)
    } catch (error) {
      notifyFailure(toProblem(error))
    } finally {
      setWords('')
      await queryClient.invalidateQueries({ queryKey: ['workspaces'] })
    }
  }
  return {
    words,
    isSending: words !== '',
    send(files: File[]) {
      if (files.length > 0 && words === '') void send(files)
    },
  }
}

function mayReplace(files: readonly File[]): Promise<boolean> {
  const names = files.map(({ name }) => toSafeLine(name))
  return confirm({
    title: files.length === 1 ? `Replace ${names[0] ?? ''}?` : `Replace ${files.length} files?`,
    message: `Already in the workspace: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ' and others' : ''}.`,
    confirmLabel: 'Replace',
    isDangerous: true,
  })
}
