import '@mantine/core/styles.css'
import '../theme/tokens.css'
import { MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { render } from 'vitest-browser-react'
import { meQuery } from '../api/me.ts'
import type { Me } from '../api/me.ts'
import { cssVariables, theme } from '../theme/theme.ts'
import { Still } from './still.tsx'

interface StageOptions {
  permissions?: readonly string[]
}

/** Draws a part of an output as the console would: theme, router, cache and somebody who is signed in. */
export async function stage(node: ReactNode, options: StageOptions = {}) {
  const { permissions = ['*'] } = options
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  queryClient.setQueryData(meQuery.queryKey, { permissions } as unknown as Me)
  const router = createRouter({
    routeTree: createRootRoute(),
    history: createMemoryHistory(),
  })
  const inStage = (shown: ReactNode) => (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} forceColorScheme="light">
      <QueryClientProvider client={queryClient}>
        <ModalsProvider>
          <RouterContextProvider router={router as never}>
            <Still />
            <main>
              <h1>Output</h1>
              {shown}
            </main>
          </RouterContextProvider>
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
  const screen = await render(inStage(node))
  return { ...screen, change: (next: ReactNode) => screen.rerender(inStage(next)) }
}
