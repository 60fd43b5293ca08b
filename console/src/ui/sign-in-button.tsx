import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { IconExternalLink } from '@tabler/icons-react'
import { api, read } from '../api/client.ts'
import { refreshServers } from '../api/refresh-servers.ts'
import { notifySuccess, notifyFailure } from './notify.ts'

interface SignInButtonProps {
  name: string
  /** Nothing works before somebody has. */
  isUrgent: boolean
  size?: 'xs'
}

/**
 * Signs in to an MCP server: opens the provider in a new tab; the result shows when the person returns to
 * this one.
 */
export function SignInButton({ name, isUrgent, size }: SignInButtonProps) {
  const queryClient = useQueryClient()
  const begin = useMutation({
    mutationFn: async () => {
      // Opened at once, while the press still counts: a tab that comes later is blocked.
      const tab = window.open('about:blank', '_blank')
      try {
        const { url } = await read(
          api.POST('/api/v1/mcp-servers/{name}/authorize', { params: { path: { name } } }),
        )
        if (!/^https?:/.test(url)) throw new Error('The sign-in address is not a web address')
        if (tab === null) window.location.assign(url)
        else {
          tab.opener = null
          tab.location.href = url
        }
      } catch (error) {
        tab?.close()
        throw error
      }
    },
    onSuccess: () => {
      notifySuccess('Sign in in the new tab, then come back here')
      window.addEventListener('focus', () => void refreshServers(queryClient), { once: true })
    },
    onError: notifyFailure,
  })
  return (
    <Button
      variant={isUrgent ? 'filled' : 'default'}
      {...(size !== undefined && { size })}
      loading={begin.isPending}
      leftSection={<IconExternalLink size={15} aria-hidden="true" />}
      onClick={() => begin.mutate()}
    >
      Sign in
    </Button>
  )
}
