import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { look } from './setup/look.ts'
import { hasChromium } from './setup/open-browser.ts'
import { openConsole } from './setup/open-console.ts'
import type { OpenConsole } from './setup/open-console.ts'
import { signInMember } from './setup/sign-in-member.ts'

const text = (words: string) => `---
name: tidy-notes
description: Keep notes tidy. <img src="https://evil.example/x.png">
tools: [demo.list-notes, demo.no-such-tool]
permissions: [demo.*]
---

# Tidy up

1. List the notes.
2. ${words}
`

describe.skipIf(!hasChromium)('skills in the console', () => {
  let crib: OpenConsole
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'a skill '))
    crib = await openConsole()
  })
  afterEach(() => Promise.all(crib.context.pages().map((page) => page.close())))
  afterAll(async () => {
    await crib.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('a skill is written here; an invalid one shows what is wrong', async () => {
    const page = await crib.open('/skills')
    await page.getByRole('link', { name: 'business-review' }).waitFor()
    await look(page, 'skills')
    await page.getByRole('textbox', { name: 'Filter skills' }).fill('no such skill')
    await page.getByText('No skills found').waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toBe('no such skill')
    await page.getByRole('textbox', { name: 'Filter skills' }).fill('REVIEW')
    await page.getByRole('link', { name: 'business-review' }).waitFor()
    await page.getByRole('button', { name: 'Install skill' }).click()
    await page.getByRole('tab', { name: 'Write' }).click()
    await page.getByRole('textbox', { name: 'SKILL.md' }).fill('No front matter')
    await page.getByRole('button', { name: 'Install', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await look(page, 'skills-install')
    crib.faults.splice(0)
    await page.getByRole('textbox', { name: 'SKILL.md' }).fill(text('Delete what is old.'))
    await page.getByRole('button', { name: 'Install', exact: true }).click()
    await page.getByRole('heading', { name: 'tidy-notes', level: 1 }).waitFor()
    await page.getByText('Not installed').waitFor()
    await look(page, 'skill')
  })

  test('a folder is another version, and its files can be read', async () => {
    await mkdir(path.join(folder, 'tidy-notes/templates'), { recursive: true })
    await writeFile(path.join(folder, 'tidy-notes/SKILL.md'), text('Archive what is old.'))
    await writeFile(path.join(folder, 'tidy-notes/templates/letter.md'), 'Dear قارئ')
    const page = await crib.open('/skills?name=tidy-notes')
    await page.getByRole('button', { name: 'Install another version' }).click()
    await page.getByLabel('Skill folder').setInputFiles(path.join(folder, 'tidy-notes'))
    await page.getByText('Archive what is old.').waitFor()
    await page.getByRole('combobox', { name: 'Version' }).waitFor()
    await page.getByRole('button', { name: 'templates/letter.md' }).click()
    await page.getByText('Dear قارئ').waitFor()
    await look(page, 'skill-file')
  })

  test('it is given to an agent after a look at the grants, and taken off again', async () => {
    const page = await crib.open('/skills?name=tidy-notes')
    await page.getByRole('combobox', { name: 'Agent' }).click()
    await page.getByRole('option', { name: 'reader' }).click()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Add tidy-notes to reader' })
    await dialog.getByText('demo.list-notes').waitFor()
    await look(page, 'skill-give')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('link', { name: 'reader' }).click()
    await page.getByRole('tab', { name: 'Skills', selected: true }).waitFor()
    await page.getByRole('link', { name: 'tidy-notes' }).waitFor()
    await look(page, 'agent-skills')
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('No skills').waitFor()
    const skills = await crib.server.request('/api/v1/agents/reader/skills')
    expect(await skills.json()).toEqual({ items: [] })
  })

  test('it is removed after a question; a declared one is not', async () => {
    const page = await crib.open('/skills?name=tidy-notes')
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('tidy-notes removed').waitFor()
    await page.getByRole('link', { name: 'business-review' }).click()
    await page.getByText('Defined in the configuration. Change it there.').waitFor()
    expect(await page.getByRole('button', { name: 'Remove' }).count()).toBe(0)
  })

  test('people who may not see skills see a notice', async () => {
    const context = await signInMember(crib, 'member')
    const page = await context.newPage()
    await page.goto('/skills')
    await page.getByText('You don’t have access to this').waitFor()
    await look(page, 'skills-not-allowed')
    await context.close()
  })
})
