import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, read } from '../../../api/client.ts'
import type { Api } from '../../../api/client.ts'
import { notifySuccess } from '../../../ui/notify.ts'
import type { Agent } from '../parts/agent-queries.ts'
import { withSettings } from './settings-draft.ts'
import type { SettingsDraft } from './settings-draft.ts'

/** Saves an agent's settings for a tool; refused if the agent was changed since it was read. */
export function useSaveSettings(agent: Agent, tool: Api<'ToolDetail'>, onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (draft: SettingsDraft) =>
      read(
        api.PATCH('/api/v1/agents/{slug}', {
          params: { path: { slug: agent.slug } },
          body: { settings: withSettings(agent.settings, tool, draft), version: agent.version },
        }),
      ),
    async onSuccess() {
      notifySuccess(`Settings for ${tool.name} saved`)
      onDone()
      await Promise.all(
        [['agents'], ['explain']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      )
    },
  })
}
