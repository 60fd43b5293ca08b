import '@fontsource-variable/inter/index.css'
import '@fontsource-variable/geist-mono/index.css'
import './theme/mantine.css'
import './theme/tokens.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client.ts'
import { router } from './router.tsx'
import { createSchemeManager } from './theme/scheme-manager.ts'
import { cssVariables, theme } from './theme/theme.ts'

const colourScheme = createSchemeManager()

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
// Mantine is above all state: rendering it again would render every component again.
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colourScheme}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
