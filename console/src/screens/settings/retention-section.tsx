import { Link } from '@tanstack/react-router'
import { Button } from '@mantine/core'
import { useCan } from '../../api/me.ts'
import { Code } from '../../ui/code.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Panel } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { LoadingPanel } from './loading-panel.tsx'
import { useSettings } from './use-settings.ts'
import styles from './settings.module.css'

const example = `retention:
  days: 90
catalogue:
  keepDays: 30
approvals:
  expiresIn: 24h`

const title = 'Retention periods'

/** The configured retention periods, read-only. */
export function RetentionSection() {
  const query = useSettings()
  const mayAudit = useCan('audit.read')
  return (
    <QueryView query={query} loading={<LoadingPanel title={title} rows={4} />}>
      {({ retention, approvals }) => (
        <>
          <Panel title={title}>
            <Facts>
              <dt>Calls and events</dt>
              <dd>
                {retention.days === undefined ? 'Forever' : `${retention.days} days after they end`}{' '}
                <span className={styles.dim}>
                  <code>retention.days</code>
                </span>
              </dd>
              <dt>Settings of removed tools</dt>
              <dd>
                {retention.goneToolDays} days{' '}
                <span className={styles.dim}>
                  <code>catalogue.keepDays</code>
                </span>
              </dd>
              <dt>Pending approvals</dt>
              <dd>
                expire after {approvals.expiresIn}{' '}
                <span className={styles.dim}>
                  <code>approvals.expiresIn</code>
                </span>
              </dd>
              <dt>Self-approval</dt>
              <dd>
                {approvals.allowSelf ? 'Yes' : 'No'}{' '}
                <span className={styles.dim}>
                  <code>approvals.allowSelf</code>
                </span>
              </dd>
            </Facts>
          </Panel>
          <Panel
            title="How to change this"
            description="Set these in the configuration file. Changes apply after a restart."
          >
            <Code text={example} label="Example configuration" />
          </Panel>
          {mayAudit && (
            <Panel
              title="Tamper check"
              description="The audit log is a hash chain. Open it to verify the chain or to export it."
            >
              <Button renderRoot={(props) => <Link to="/audit" {...props} />} variant="default">
                Open audit log
              </Button>
            </Panel>
          )}
        </>
      )}
    </QueryView>
  )
}
