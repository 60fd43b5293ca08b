import '@mantine/core/styles.css'
import '../../theme/tokens.css'
import { Button, MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from 'vitest-browser-react'
import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { Still } from '../../testing/still.tsx'
import { cssVariables, theme } from '../../theme/theme.ts'
import { ToolInput, useToolInput } from '../tool-input.tsx'
import type { ToolInputState } from '../tool-input.tsx'

/** The facts of a tool that a form looks at. */
export function toolWith(
  inputSchema: unknown,
  facts: Partial<Api<'ToolDetail'>> = {},
): Api<'ToolDetail'> {
  return {
    name: 'demo.tool',
    title: 'Demo',
    examples: [],
    inputSchema: inputSchema as Api<'ToolDetail'>['inputSchema'],
    ...facts,
  } as Api<'ToolDetail'>
}

interface DrawOptions {
  initial?: JsonValue
  keepDraft?: boolean
  hasHistory?: boolean
  isDisabled?: boolean
}

/** A form on the screen, and what it holds right now. */
export async function drawForm(tool: Api<'ToolDetail'>, options: DrawOptions = {}) {
  const held: { current: ToolInputState | undefined } = { current: undefined }
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const { hasHistory = false, isDisabled = false, keepDraft = false, ...rest } = options
  function Screen() {
    const state = useToolInput({ tool, keepDraft, ...rest })
    held.current = state
    return (
      <main style={{ width: 480, padding: 16 }}>
        <Still />
        <h1>Demo</h1>
        <ToolInput tool={tool} state={state} hasHistory={hasHistory} isDisabled={isDisabled} />
        <Button onClick={() => state.check()}>Run</Button>
      </main>
    )
  }
  const screen = await render(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} env="test">
      <QueryClientProvider client={client}>
        <Screen />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return {
    screen,
    state(): ToolInputState {
      if (held.current === undefined) throw new Error('Nothing is drawn')
      return held.current
    },
  }
}
