import { Button, FileButton, Group, Tabs, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { IconFolder, IconFileZip } from '@tabler/icons-react'
import { useState } from 'react'
import { ask } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { fromAnswer } from '../../api/problem.ts'
import { Refused } from '../../ui/refused.tsx'
import { notifySuccess } from '../../ui/notify.ts'
import { GuardedModal } from '../../ui/dialog/guarded-dialog.tsx'
import { FolderButton } from './folder-button.tsx'
import { zipOf } from './zip-of.ts'

const template = `---
name: my-skill
description: What the skill does, and when an agent should use it.
tools: []
---

# What to do

1. First …
`

interface InstallSkillProps {
  onClose: () => void
}

/** Installs a skill from a zip, a folder, or text written here. */
export function InstallSkill({ onClose }: InstallSkillProps) {
  const install = useInstall(onClose)
  return (
    <GuardedModal opened onClose={onClose} title="Install skill" size="lg">
      {install.isError && <Refused error={install.error} isApart />}
      <Tabs defaultValue="upload">
        <Tabs.List mb="md">
          <Tabs.Tab value="upload">Upload</Tabs.Tab>
          <Tabs.Tab value="write">Write</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="upload">
          <Upload install={install} />
        </Tabs.Panel>
        <Tabs.Panel value="write">
          <Write install={install} />
        </Tabs.Panel>
      </Tabs>
    </GuardedModal>
  )
}

interface InstallProps {
  install: ReturnType<typeof useInstall>
}

function Upload({ install }: InstallProps) {
  return (
    <>
      <Text c="dimmed" mb="md">
        Choose a zip or a folder that contains SKILL.md. Installing a skill again adds a version;
        agents keep the version they have. Skills are instructions for your agents, so read them
        first.
      </Text>
      <Group>
        <FileButton
          accept=".zip,application/zip"
          onChange={(file) => file !== null && install.mutate(() => readZip(file))}
          inputProps={{ 'aria-label': 'Skill zip' }}
        >
          {(props) => (
            <Button
              {...props}
              variant="default"
              loading={install.isPending}
              leftSection={<IconFileZip size={16} aria-hidden="true" />}
            >
              Choose zip
            </Button>
          )}
        </FileButton>
        <FolderButton
          onChoose={(files) => install.mutate(() => packFolder(files))}
          isLoading={install.isPending}
          icon={<IconFolder size={16} aria-hidden="true" />}
        />
      </Group>
    </>
  )
}

function Write({ install }: InstallProps) {
  const [text, setText] = useState(template)
  return (
    <>
      <Textarea
        label="SKILL.md"
        autosize
        minRows={12}
        maxRows={24}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Group justify="flex-end" mt="md">
        <Button
          loading={install.isPending}
          onClick={() => install.mutate(() => Promise.resolve(packText(text)))}
        >
          Install
        </Button>
      </Group>
    </>
  )
}

type Receipt = Api<'SkillReceipt'>

function useInstall(onDone: () => void) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async (pack: () => Promise<Uint8Array<ArrayBuffer>>) => send(await pack()),
    onSuccess: async ({ name, isNew, warnings }) => {
      const said = isNew ? `${name} installed` : `This version of ${name} was already installed`
      notifySuccess([said, ...warnings].join('. '))
      onDone()
      await queryClient.invalidateQueries({ queryKey: ['skills'] })
      await navigate({ to: '/skills', search: { name } })
    },
  })
}

/** Sent without the typed client, which sends JSON: this is a zip. */
async function send(zip: Uint8Array<ArrayBuffer>): Promise<Receipt> {
  const response = await ask(
    new Request('/api/v1/skills', {
      method: 'POST',
      headers: { 'content-type': 'application/zip' },
      body: zip,
    }),
  )
  const answer: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw fromAnswer(answer, response)
  return answer as Receipt
}

async function readZip(file: File): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await file.arrayBuffer())
}

async function packFolder(files: readonly File[]): Promise<Uint8Array<ArrayBuffer>> {
  const packed = await Promise.all(
    files.map(async (file) => ({
      path: file.webkitRelativePath || file.name,
      bytes: new Uint8Array(await file.arrayBuffer()),
    })),
  )
  return zipOf(packed)
}

function packText(text: string): Uint8Array<ArrayBuffer> {
  return zipOf([{ path: 'SKILL.md', bytes: new TextEncoder().encode(text) }])
}
