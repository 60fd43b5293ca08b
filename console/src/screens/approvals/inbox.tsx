import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Link, useNavigate } from '@tanstack/react-router'
import { IconInbox } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useCan } from '../../api/me.ts'
import { modKey } from '../../shell/mod-key.ts'
import { Loading, LoadingFacts } from '../../ui/loading.tsx'
import { Panel } from '../../ui/page.tsx'
import { Empty, Failed } from '../../ui/states.tsx'
import { AllRequests } from './all-requests.tsx'
import { BulkBar } from './bulk-bar.tsx'
import type { DecidingHandle } from './deciding.tsx'
import { Request } from './request.tsx'
import { RequestList } from './request-list.tsx'
import { useApproval, useApprovals, useToolsOf } from './use-approvals.ts'
import type { Approval } from './use-approvals.ts'
import { useInboxKeys } from './use-inbox-keys.ts'
import styles from './approvals.module.css'

/** What waits for a person: the list and one request beside it. */
export function Inbox({ id }: { id: string | undefined }) {
  const query = useApprovals('pending')
  const mayDecide = useCan('approvals.decide')
  const waiting = query.data?.pages.flatMap((page) => page.items) ?? []
  const items = useWithChosen(waiting, id)
  const tools = useToolsOf(items.map(({ tool }) => tool))
  const { go, focusNext } = useMoves(items, id)
  const [said, setSaid] = useState('')
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const deciding = useRef<DecidingHandle>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useInboxKeys({ move: (step) => go(step, heading), deciding })

  if (query.isPending) return <LoadingInbox />
  if (query.isError && query.data === undefined) {
    return <Failed error={query.error} retry={() => void query.refetch()} />
  }
  if (items.length === 0) return <NothingWaits mayDecide={mayDecide} said={said} />

  function onDecided(decided: Approval) {
    const title = tools.get(decided.tool)?.title ?? decided.tool
    setSaid(sayOutcome(decided, title))
    if (decided.status !== 'pending') focusNext(decided.id, heading)
  }
  const chosen = ticked.size === 0 ? [] : waiting.filter((one) => ticked.has(one.id))
  return (
    <div className={styles.inbox} data-open={id === undefined ? undefined : true}>
      <output className="visually-hidden">{said}</output>
      <section className={styles.list} aria-label="Requests" tabIndex={0}>
        {chosen.length > 0 && (
          <BulkBar
            chosen={chosen}
            tools={tools}
            onClear={() => setTicked(new Set())}
            onSaid={setSaid}
          />
        )}
        <RequestList
          items={items}
          tools={tools}
          currentId={id}
          {...(mayDecide && {
            ticked,
            onTick: (which: string, isTicked: boolean) =>
              setTicked((before) => withOrWithout(before, which, isTicked)),
          })}
          query={query}
        />
      </section>
      {id !== undefined && (
        <div>
          <AllRequests />
          <Request
            key={id}
            id={id}
            known={items.find((one) => one.id === id)}
            onDecided={onDecided}
            headingRef={heading}
            ref={deciding}
          />
          <p className={styles.keys}>
            J and K move · {modKey} Enter approves · {modKey} Backspace rejects · E edits
          </p>
        </div>
      )}
    </div>
  )
}

function LoadingInbox() {
  return (
    <div className={styles.inbox}>
      <div className={styles.list} data-framed>
        <Loading rows={4} height={76} />
      </div>
      <Panel>
        <LoadingFacts rows={6} />
      </Panel>
    </div>
  )
}

function NothingWaits({ mayDecide, said }: { mayDecide: boolean; said: string }) {
  return (
    <>
      <output className="visually-hidden">{said}</output>
      <Empty
        title="Nothing is waiting"
        icon={<IconInbox size={24} stroke={1.5} aria-hidden="true" />}
        actions={
          <Button
            renderRoot={(props) => (
              <Link to="/approvals" search={{ status: 'decided' }} {...props} />
            )}
            variant="default"
          >
            Look at what was decided
          </Button>
        }
      >
        {mayDecide
          ? 'Requests come here when an agent, a schedule or a person calls a tool that a person has to say yes to: because the tool says so, an agent’s rule, or a policy.'
          : 'When one of your own calls waits for a person, it stands here. Somebody with the permission approvals.decide decides.'}
      </Empty>
    </>
  )
}

/** The one that is looked at stays in the list when somebody else has decided on it. */
function useWithChosen(waiting: readonly Approval[], id: string | undefined): readonly Approval[] {
  const isGone = id !== undefined && !waiting.some((one) => one.id === id)
  const { data } = useApproval(id ?? '', { isWanted: isGone })
  if (!isGone || data === undefined) return waiting
  return [...waiting, data].toSorted((left, right) => (left.createdAt < right.createdAt ? 1 : -1))
}

/** Where the selection goes. It stands in the address, so that nothing that arrives can move it. */
function useMoves(items: readonly Approval[], id: string | undefined) {
  const navigate = useNavigate({ from: '/approvals' })
  const isWide = useMediaQuery('(min-width: 48em)') ?? true
  const [first] = items
  const open = (next: string | undefined, isReplacing = false) =>
    void navigate({ search: next === undefined ? {} : { id: next }, replace: isReplacing })
  useEffect(() => {
    if (isWide && id === undefined && first !== undefined) {
      void navigate({ search: { id: first.id }, replace: true })
    }
  }, [isWide, id, first, navigate])
  const focus = (heading: React.RefObject<HTMLHeadingElement | null>) =>
    requestAnimationFrame(() => requestAnimationFrame(() => heading.current?.focus()))
  return {
    go(step: 1 | -1, heading: React.RefObject<HTMLHeadingElement | null>) {
      const at = items.findIndex((one) => one.id === id)
      const next = items[at + step]
      if (next === undefined) return
      open(next.id, true)
      focus(heading)
    },
    focusNext(decided: string, heading: React.RefObject<HTMLHeadingElement | null>) {
      const at = items.findIndex((one) => one.id === decided)
      const left = items.filter((one) => one.id !== decided && one.status === 'pending')
      const next = items.slice(at + 1).find((one) => one.status === 'pending') ?? left.at(-1)
      open(next?.id, true)
      if (next !== undefined) focus(heading)
    },
  }
}

function withOrWithout(before: ReadonlySet<string>, id: string, isIn: boolean): Set<string> {
  const after = new Set(before)
  if (isIn) after.add(id)
  else after.delete(id)
  return after
}

function sayOutcome({ status, needed }: Approval, title: string): string {
  if (status === 'approved') return `Approved: ${title}. It runs now.`
  if (status === 'rejected') return `Rejected: ${title}.`
  return `Your yes to ${title} counts; ${needed} people have to say yes.`
}
