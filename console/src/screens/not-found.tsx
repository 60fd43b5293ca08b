import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { Page } from '../ui/page.tsx'
import { Empty, Failed } from '../ui/states.tsx'

/** An address where nothing is. */
export function NotFound() {
  return (
    <Page title="Not found">
      <Empty
        title="Nothing is at this address"
        actions={
          <Button component={Link} to="/" variant="default">
            Go to the home page
          </Button>
        }
      >
        It may have been removed, or the address is not quite right.
      </Empty>
    </Page>
  )
}

/** A screen that could not be drawn. The others still work. */
export function ScreenFailed({ error, reset }: ErrorComponentProps) {
  return (
    <Page title="Something went wrong">
      <Failed error={error} retry={reset} />
    </Page>
  )
}
