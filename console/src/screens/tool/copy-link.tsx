import { useClipboard } from '@mantine/hooks'
import styles from './output-tab.module.css'

/** The address under which others who may see the call find its input and result. */
export function CopyLink({ tool, callId }: { tool: string; callId: string }) {
  const { copied, copy } = useClipboard()
  const address = new URL(`/tools/${encodeURIComponent(tool)}`, window.location.origin)
  address.searchParams.set('call', callId)
  return (
    <button type="button" className={styles.link} onClick={() => copy(address.href)}>
      {copied ? 'Link copied' : 'Copy link'}
    </button>
  )
}
