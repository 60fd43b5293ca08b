import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { stage } from '../testing/output-stage.tsx'
import { withUploads } from '../testing/with-uploads.ts'
import { violations } from '../testing/violations.ts'
import { createWorkspaceServer, withWorkspaceServer } from './testing/workspace-server.ts'
import { WorkspaceView } from './workspace-view.tsx'

const evil = '<img src="https://evil.example/a" onerror="window.hostileRan=1">'

function withFiles() {
  const server = createWorkspaceServer()
  server.files.set('src/deep/index.ts', "export const answer = 42 // 'all'\n")
  server.files.set('src/main.ts', 'import { answer } from "./deep"\n')
  server.files.set('README.md', `# Read me\n\n${evil}\n`)
  server.files.set('data.zip', 'PK')
  return server
}

test('folders open one by one, and a file is shown by its kind', async () => {
  const server = withFiles()
  await withWorkspaceServer(server, async () => {
    const screen = await stage(<WorkspaceView workspace={server.workspace} />)
    await expect.element(screen.getByText(/^4\.2 KB of 100 MB · 4 of 10,000 files/)).toBeVisible()
    await userEvent.click(screen.getByRole('treeitem', { name: 'src' }))
    await userEvent.click(screen.getByRole('treeitem', { name: 'deep' }))
    await userEvent.click(screen.getByRole('treeitem', { name: /index\.ts/ }))
    await expect.element(screen.getByRole('heading', { name: 'src/deep/index.ts' })).toBeVisible()
    await expect.poll(() => screen.container.querySelector('[data-kind=keyword]')).not.toBeNull()
    expect(await violations(screen.container)).toEqual([])
    await userEvent.click(screen.getByRole('treeitem', { name: /README/ }))
    await expect.element(screen.getByRole('heading', { name: 'Read me' })).toBeVisible()
    expect(screen.container.querySelector('img')).toBeNull()
    await userEvent.click(screen.getByText('Source', { exact: true }))
    await expect.element(screen.getByText('# Read me')).toBeVisible()
    await userEvent.click(screen.getByRole('treeitem', { name: /data\.zip/ }))
    await expect.element(screen.getByText(/This file is not text/)).toBeVisible()
    expect(await violations(screen.container)).toEqual([])
    // Only what was opened has been read.
    const read = server.asked.filter(({ path }) => path === '/files')
    expect(read.map(({ query }) => query.get('path'))).toEqual([null, 'src', 'src/deep'])
  })
})

test('the tree obeys the keys of a tree', async () => {
  const server = withFiles()
  await withWorkspaceServer(server, async () => {
    const screen = await stage(<WorkspaceView workspace={server.workspace} />)
    const folder = screen.getByRole('treeitem', { name: 'src' })
    await expect.element(folder).toBeVisible()
    screen.getByRole('tree').element().focus()
    await userEvent.keyboard('{ArrowRight}')
    await expect.element(folder).toHaveAttribute('aria-expanded', 'true')
    await expect.element(screen.getByRole('treeitem', { name: /main\.ts/ })).toBeVisible()
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}')
    await expect.element(screen.getByRole('heading', { name: 'src/main.ts' })).toBeVisible()
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
    await expect.element(folder).toHaveAttribute('aria-expanded', 'false')
  })
})

test('dropped files are uploaded with their progress, and the rest is cancelled on request', async () => {
  const server = withFiles()
  const drop = (tree: Element, ...names: string[]) => {
    const dataTransfer = new DataTransfer()
    for (const name of names) dataTransfer.items.add(new File(['hello'], name))
    const options = { dataTransfer, bubbles: true, cancelable: true }
    tree.dispatchEvent(new DragEvent('drop', options))
  }
  await withUploads((sent) =>
    withWorkspaceServer(server, async () => {
      const screen = await stage(<WorkspaceView workspace={server.workspace} />)
      const tree = screen.getByRole('tree')
      await expect.element(tree).toBeVisible()
      drop(tree.element(), 'new.txt', 'other.txt')
      await expect.poll(() => sent.length).toBe(1)
      expect(sent[0]).toMatchObject({
        method: 'PUT',
        address: '/api/v1/workspaces/wsp_1/file?path=new.txt',
      })
      sent[0]?.progress(0.5)
      await expect.element(screen.getByText('Uploading new.txt (1 of 2)')).toBeVisible()
      await expect.element(screen.getByText('25 %')).toBeVisible()
      expect(await violations(screen.container)).toEqual([])
      server.files.set('new.txt', 'hello')
      sent[0]?.answer(200, {})
      await expect.poll(() => sent.length).toBe(2)
      await userEvent.click(screen.getByRole('button', { name: 'Cancel the upload' }))
      expect(sent[1]?.isAborted()).toBe(true)
      await expect.element(screen.getByText(/^Uploading/)).not.toBeInTheDocument()
      await expect.element(screen.getByRole('treeitem', { name: /new\.txt/ })).toBeVisible()
    }),
  )
})

test('an empty workspace explains how to add files', async () => {
  const server = createWorkspaceServer()
  await withWorkspaceServer(server, async () => {
    const screen = await stage(<WorkspaceView workspace={server.workspace} />)
    await expect.element(screen.getByText('No files yet')).toBeVisible()
  })
})

test('a failure is shown with its reason in place of the files', async () => {
  const server = createWorkspaceServer()
  server.problem = { status: 503, code: 'workspace_unavailable', detail: 'The disk is gone' }
  await withWorkspaceServer(server, async () => {
    const screen = await stage(<WorkspaceView workspace={server.workspace} />)
    await expect.element(screen.getByText('The disk is gone')).toBeVisible()
    expect(await violations(screen.container)).toEqual([])
  })
})

test('a reader is offered no change', async () => {
  const server = withFiles()
  await withWorkspaceServer(server, async () => {
    const screen = await stage(<WorkspaceView workspace={server.workspace} />, {
      permissions: ['workspaces.read'],
    })
    await userEvent.click(screen.getByRole('treeitem', { name: /README/ }))
    await expect.element(screen.getByRole('button', { name: 'Download README.md' })).toBeVisible()
    for (const name of ['Upload', 'Delete README.md']) {
      await expect.element(screen.getByRole('button', { name })).not.toBeInTheDocument()
    }
    await expect.element(screen.getByText('Ask', { exact: true })).toBeVisible()
  })
})

test('a new mode is sent to the server', async () => {
  const server = withFiles()
  await withWorkspaceServer(server, async () => {
    const screen = await stage(<WorkspaceView workspace={server.workspace} />)
    await userEvent.click(screen.getByText('Read-only', { exact: true }))
    await expect.poll(() => server.workspace.mode).toBe('read-only')
  })
})

test('changes are shown by file with their differences', async () => {
  const server = withFiles()
  const at = '2026-11-19T10:00:00.000Z'
  server.changes = [
    {
      path: 'src/main.ts',
      change: 'changed',
      diff: `--- a/src/main.ts\n+++ b/src/main.ts\n@@ -1 +1 @@\n-old\n+${evil}\n`,
      bytes: 40,
      at,
    },
    { path: 'data.zip', change: 'added', isBinary: true, bytes: 2, at },
  ]
  await withWorkspaceServer(server, async () => {
    const screen = await stage(<WorkspaceView workspace={server.workspace} />)
    await userEvent.click(screen.getByRole('tab', { name: 'Changes' }))
    await expect.element(screen.getByText('1 added, 1 changed.')).toBeVisible()
    await expect.element(screen.getByText(evil)).toBeVisible()
    await expect.element(screen.getByText('The file is not text.')).toBeVisible()
    expect(await violations(screen.container)).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: 'Accept all' }))
    await expect.element(screen.getByText('No changes')).toBeVisible()
  })
})

test('a running process shows its output as it comes, and stops after a confirmation', async () => {
  const server = withFiles()
  server.processes = [
    {
      pid: 2,
      command: 'npm run dev',
      cwd: 'app',
      state: 'running',
      startedAt: new Date().toISOString(),
      stdoutBytes: 10,
      stderrBytes: 0,
    },
  ]
  server.output = { stdout: 'listening\n', stderr: '' }
  await withWorkspaceServer(server, async () => {
    const screen = await stage(<WorkspaceView workspace={server.workspace} />)
    await userEvent.click(screen.getByRole('tab', { name: 'Processes' }))
    await expect.element(screen.getByText('npm run dev')).toBeVisible()
    await expect.element(screen.getByText('listening')).toBeVisible()
    server.output = { stdout: 'listening\nGET /\n', stderr: 'careful\n' }
    await expect.element(screen.getByText('GET /')).toBeVisible()
    await expect.element(screen.getByText('careful')).toBeVisible()
    expect(await violations(screen.container)).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: 'Stop following' }))
    await expect.element(screen.getByRole('button', { name: 'Follow' })).toBeVisible()
  })
})
