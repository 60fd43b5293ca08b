import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IconArrowLeft } from '@tabler/icons-react'
import styles from './approvals.module.css'

/** A link back to the list, shown where the request replaces it. */
export function AllRequests({ status }: { status?: string }) {
  return (
    <Button
      renderRoot={(props) => (
        <Link to="/approvals" search={status === undefined ? {} : { status }} {...props} />
      )}
      variant="default"
      size="compact-sm"
      className={styles.back}
      leftSection={<IconArrowLeft size={14} stroke={1.6} aria-hidden="true" />}
    >
      All requests
    </Button>
  )
}
