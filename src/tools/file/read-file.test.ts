import { expect, test } from 'vitest'
import { keepArtifacts } from '../../testing/temp-artifacts.ts'
import { openTempWorkspace } from './testing/temp-workspace.ts'
import { runTool } from '../../testing/run-tool.ts'
import { toPng } from './testing/to-png.ts'
import { readFile } from './read-file.ts'

interface Wish {
  encoding?: 'text' | 'base64'
  offset?: number
  limit?: number
  tail?: number
}

async function read(content: string | Uint8Array, wish: Wish = {}, name = 'a.txt') {
  await using workspace = await openTempWorkspace({ [name]: content })
  const artifacts = keepArtifacts()
  const nothing = { encoding: null, offset: null, limit: null, tail: null }
  const input = { ...nothing, path: name, ...wish }
  const { output } = await runTool(readFile, input, { workspace, artifacts })
  return { ...output, saved: artifacts.saved }
}

const manyLines = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')

test('a whole file is read with the number of its lines', async () => {
  expect(await read('one\ntwo\n')).toEqual({
    path: 'a.txt',
    text: 'one\ntwo\n',
    firstLine: 1,
    lines: 2,
    totalLines: 2,
    truncated: false,
    bytes: 8,
    hint: null,
    artifact: null,
    saved: [],
  })
})

test('an empty file has no lines, and a missing end of line does not add a line', async () => {
  expect(await read('')).toMatchObject({ text: '', lines: 0, totalLines: 0, truncated: false })
  expect(await read('one\ntwo')).toMatchObject({ text: 'one\ntwo', lines: 2, totalLines: 2 })
})

test('line ends of Windows are kept as they are', async () => {
  expect(await read('one\r\ntwo\r\n')).toMatchObject({ text: 'one\r\ntwo\r\n', totalLines: 2 })
})

test('a range of lines is read, and the answer has the line to continue from', async () => {
  expect(await read(manyLines(10), { offset: 4, limit: 2 })).toMatchObject({
    text: 'line 4\nline 5\n',
    firstLine: 4,
    lines: 2,
    totalLines: 10,
    truncated: true,
    hint: 'Read on with offset 6.',
  })
  expect(await read(manyLines(3), { offset: 9 })).toMatchObject({
    text: '',
    lines: 0,
    truncated: false,
    hint: 'The file has only 3 lines.',
  })
})

test('the end of a file is read without its start', async () => {
  expect(await read(manyLines(5000), { tail: 2 })).toMatchObject({
    text: 'line 4999\nline 5000\n',
    firstLine: 4999,
    truncated: false,
  })
  expect(await read('one\ntwo', { tail: 5 })).toMatchObject({ text: 'one\ntwo', firstLine: 1 })
})

test('reading on from each hint gives the whole file, without gaps', async () => {
  await using workspace = await openTempWorkspace({ 'a.txt': `${'äß€'.repeat(900)}\n`.repeat(100) })
  let text = ''
  let offset: number | null = 1
  const readFrom = async (offset: number) => {
    const input = { path: 'a.txt', encoding: null, offset, limit: null, tail: null }
    return (await runTool(readFile, input, { workspace })).output
  }
  while (offset !== null) {
    const output: Awaited<ReturnType<typeof readFrom>> = await readFrom(offset)
    const shown = output.text
    const whole = output.truncated ? shown.slice(0, shown.lastIndexOf('\n') + 1) : shown
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(51_200)
    text += whole
    const next = /offset (\d+)/.exec(output.hint ?? '')?.[1]
    offset = next === undefined ? null : Number(next)
  }
  expect(text).toBe(`${'äß€'.repeat(900)}\n`.repeat(100))
})

test('a line that is longer than an answer is cut between characters', async () => {
  const { text, truncated, hint } = await read('é'.repeat(400_000))
  expect(text).toBe('é'.repeat(25_600))
  expect([truncated, hint]).toEqual([
    true,
    'Line 1 is too long to show whole. Search it with file.grep.',
  ])
})

test('a file of many megabytes is read in the middle', async () => {
  const line = `${'x'.repeat(99)}\n`
  const { text, totalLines } = await read(line.repeat(200_000), { offset: 150_000, limit: 1 })
  expect([text, totalLines]).toEqual([line, 200_000])
})

test('a picture is shown and kept as an artifact, whatever its name is', async () => {
  const png = toPng({ width: 3, height: 2 })
  const { saved, ...output } = await read(png, {}, 'notes.txt')
  const artifact = { id: expect.any(String), bytes: png.length, mediaType: 'image/png' }
  expect(output).toEqual({
    $content: [
      { type: 'text', text: expect.stringMatching(/^notes\.txt \(image\/png, 3 × 2 pixels, .*:$/) },
      { type: 'image', data: '', mimeType: 'image/png', $artifact: artifact },
    ],
    $structured: {
      path: 'notes.txt',
      text: '',
      firstLine: 1,
      lines: 0,
      totalLines: null,
      truncated: false,
      bytes: png.length,
      hint: 'A picture of 3 × 2 pixels.',
      artifact,
    },
  })
  expect(saved).toEqual([{ name: 'notes.txt', mediaType: 'image/png', bytes: png }])
})

test('a picture that no model would take is not shown', async () => {
  const png = toPng({ width: 3, height: 2 })
  const broken = await read(png.subarray(0, 40), {}, 'a.png')
  expect(broken).toMatchObject({ text: '', artifact: { mediaType: 'image/png' } })
  const wide = await read(toPng({ width: 9000, height: 1 }), {}, 'a.png')
  expect(wide.hint).toContain('A picture of 9000 × 1 pixels, too large to be shown')
  const bytes = await read(png, { encoding: 'base64' }, 'a.png')
  expect(bytes).toMatchObject({ path: 'a.png', artifact: { mediaType: 'image/png' } })
})

test('text that is not UTF-8 is kept as an artifact, without replacement characters', async () => {
  const latin = Uint8Array.from([0x47, 0x72, 0xfc, 0xdf, 0x65])
  const { saved, text, artifact } = await read(latin)
  expect(text).toBe('')
  expect(artifact?.mediaType).toBe('application/octet-stream')
  expect(saved[0]?.bytes).toEqual(latin)
})

test('base64 keeps a text as an artifact', async () => {
  const { saved, text } = await read('text', { encoding: 'base64' })
  expect([text, Buffer.from(saved[0]!.bytes).toString()]).toEqual(['', 'text'])
})

test('a large binary file is not copied into an artifact', async () => {
  await expect(read(new Uint8Array(17 * 1_048_576))).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'a.txt is not text and has more than 16 MB',
  })
})

test('a missing file and a folder are reported as such', async () => {
  await using workspace = await openTempWorkspace({ 'src/a.txt': '' })
  const nothing = { encoding: null, offset: null, limit: null, tail: null }
  await expect(
    runTool(readFile, { path: 'b.txt', ...nothing }, { workspace }),
  ).rejects.toMatchObject({ code: 'not_found' })
  await expect(runTool(readFile, { path: 'src', ...nothing }, { workspace })).rejects.toMatchObject(
    { code: 'invalid_input' },
  )
})
