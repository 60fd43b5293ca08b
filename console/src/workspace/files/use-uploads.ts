import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { toProblem } from '../../api/problem.ts'
import { toSafeLine } from '../../output/values/safe-text.ts'
import { confirm, notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { joinPath } from '../paths.ts'
import { upload } from '../workspace-bytes.ts'
import { folderQuery } from '../workspace-queries.ts'

interface Upload {
  words: string
  /** Of all files together, from 0 to 100. */
  percent: number
}

const nothing: Upload = { words: '', percent: 0 }

/** Sends files into a folder, one after the other; asks before it replaces any. */
export function useUploads(id: string, folder: string) {
  const queryClient = useQueryClient()
  const [{ words, percent }, setUpload] = useState(nothing)
  const sending = useRef<AbortController>(undefined)
  useEffect(() => () => sending.current?.abort(), [])
  async function sendAll(files: readonly File[], signal: AbortSignal): Promise<void> {
    const { items } = await queryClient.fetchQuery(folderQuery(id, folder))
    const known = new Set(items.map(({ path }) => path))
    const replaced = files.filter(({ name }) => known.has(joinPath(folder, name)))
    if (replaced.length > 0 && !(await mayReplace(replaced))) return
    const total = files.reduce((sum, { size }) => sum + size, 0)
    let sent = 0
    for (const [index, file] of files.entries()) {
      const ofFile = `Uploading ${toSafeLine(file.name)} (${index + 1} of ${files.length})`
      const onProgress = (part: number) => {
        const percent = total === 0 ? 0 : Math.floor(((sent + part * file.size) / total) * 100)
        setUpload({ words: ofFile, percent })
      }
      onProgress(0)
      await upload(id, joinPath(folder, file.name), { file, onProgress, signal })
      sent += file.size
    }
    notifySuccess(files.length === 1 ? '1 file uploaded' : `${files.length} files uploaded`)
  }
  async function send(files: readonly File[]): Promise<void> {
    const controller = new AbortController()
    sending.current = controller
    try {
      await sendAll(files, controller.signal)
    } catch (error) {
      if (!controller.signal.aborted) notifyFailure(toProblem(error))
    } finally {
      setUpload(nothing)
      await queryClient.invalidateQueries({ queryKey: ['workspaces'] })
    }
  }
  return {
    words,
    percent,
    isSending: words !== '',
    /** Files that are there already stay. */
    cancel: () => sending.current?.abort(),
    send(files: readonly File[]) {
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
