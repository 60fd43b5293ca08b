import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { IconInbox } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { Ref } from 'react'
import { useCan } from '../../api/me.ts'
import { useChosen, withChosen } from '../../ui/inbox/use-chosen.ts'
import { type DecidingHandle, useInboxKeys } from '../../ui/inbox/use-inbox-keys.ts'
import { modKey } from '../../ui/mod-key.ts'
import { Loading, LoadingFacts } from '../../ui/loading.tsx'
import { Panel } from '../../ui/page.tsx'
import { Empty, Failed } from '../../ui/states.tsx'
import { AllRequests } from './all-requests.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { Request } from './request.tsx'
import { RequestList } from './request-list.tsx'
import { useApproval, useApprovals, useToolsOf } from './use-approvals.ts'
import type { Approval } from './use-approvals.ts'
import styles from './approvals.module.css'

/** Pending requests: the list, and the selected request beside it. */
export function Inbox({ id }: { id: string | undefined }) {
  const query = useApprovals('pending')
  const mayDecide = useCan('approvals.decide')
  const waiting = query.data?.pages.flatMap((page) => page.items) ?? []
  const items = withChosen(waiting, useGone(waiting, id))
  const tools = useToolsOf(items.map(({ tool }) => tool))
  const { go, next } = useMoves(items, id)
  const [announced, announce] = useState('')
  const deciding = useRef<DecidingHandle>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const nextButton = useRef<HTMLButtonElement>(null)
  const openNext = () => {
    next?.open()
    focusOn(() => heading.current)
  }
  useInboxKeys({
    move: (step) => {
      if (go(step)) focusOn(() => heading.current)
    },
    deciding,
  })

  if (query.isPending) return <LoadingInbox />
  if (query.isError && query.data === undefined) {
    return <Failed error={query.error} retry={() => void query.refetch()} />
  }
  if (items.length === 0) return <NothingWaiting mayDecide={mayDecide} announced={announced} />

  // The request stays on screen and turns into its result; moving on is a separate step.
  function onDecided(decided: Approval) {
    const title = tools.get(decided.tool)?.title ?? decided.tool
    announce(outcomeText(decided, title))
    if (decided.status !== 'pending') focusOn(() => nextButton.current ?? heading.current)
  }
  return (
    <div className={styles.inbox} data-open={id === undefined ? undefined : true}>
      <output className="visually-hidden">{announced}</output>
      <section className={styles.list} aria-label="Requests" tabIndex={0}>
        <Requests {...{ waiting, items, tools, id, query, mayDecide }} onAnnounce={announce} />
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
            next={<NextButton next={next} open={openNext} ref={nextButton} />}
          />
          <InboxKeys
            mayDecide={mayDecide && waiting.some((one) => one.id === id)}
            count={items.length}
          />
        </div>
      )}
    </div>
  )
}

interface RequestsProps {
  waiting: readonly Approval[]
  items: readonly Approval[]
  tools: ReturnType<typeof useToolsOf>
  id: string | undefined
  query: ReturnType<typeof useApprovals>
  mayDecide: boolean
  onAnnounce: (text: string) => void
}

/** The list of requests; with the permission, several can be selected and decided together. */
function Requests({ waiting, items, tools, id, query, mayDecide, onAnnounce }: RequestsProps) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const chosen = ticked.size === 0 ? [] : waiting.filter((one) => ticked.has(one.id))
  return (
    <>
      {chosen.length > 0 && (
        <BulkBar
          chosen={chosen}
          tools={tools}
          onClear={() => setTicked(new Set())}
          onAnnounce={onAnnounce}
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
    </>
  )
}

interface NextButtonProps {
  next: { left: number } | undefined
  open: () => void
  ref: Ref<HTMLButtonElement>
}

function NextButton({ next, open, ref }: NextButtonProps) {
  if (next === undefined) return null
  return (
    <Button ref={ref} onClick={open}>
      {next.left === 1 ? 'Next request' : `Next request (${next.left} waiting)`}
    </Button>
  )
}

/** Only the shortcuts that work for this person. */
function InboxKeys({ mayDecide, count }: { mayDecide: boolean; count: number }) {
  const keys = [
    ...(count > 1 ? ['J / K to move'] : []),
    ...(mayDecide
      ? [`${modKey}+Enter to approve`, `${modKey}+Backspace to reject`, 'E to edit']
      : []),
  ]
  if (keys.length === 0) return null
  return (
    <ul className={styles.keys} aria-label="Keyboard shortcuts">
      {keys.map((key) => (
        <li key={key}>{key}</li>
      ))}
    </ul>
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

function NothingWaiting({ mayDecide, announced }: { mayDecide: boolean; announced: string }) {
  return (
    <>
      <output className="visually-hidden">{announced}</output>
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
            View decided requests
          </Button>
        }
      >
        {mayDecide
          ? 'Calls that need approval appear here: from agents, schedules and people, when the tool, an agent’s rule or a policy requires it.'
          : 'Your calls that need approval appear here. Someone with the permission approvals.decide decides.'}
      </Empty>
    </>
  )
}

/** The selected request, after someone else has decided it. */
function useGone(waiting: readonly Approval[], id: string | undefined): Approval | undefined {
  const isGone = id !== undefined && !waiting.some((one) => one.id === id)
  const { data } = useApproval(id ?? '', { isWanted: isGone })
  return isGone ? data : undefined
}

function useMoves(items: readonly Approval[], id: string | undefined) {
  const navigate = useNavigate({ from: '/approvals' })
  const open = (to: string) => void navigate({ search: { id: to }, replace: true })
  const go = useChosen(items, id, open)
  const at = items.findIndex((one) => one.id === id)
  const others = items.filter((one) => one.id !== id && one.status === 'pending')
  const following = items.slice(at + 1).find((one) => one.status === 'pending') ?? others[0]
  return {
    go,
    next: following && { left: others.length, open: () => open(following.id) },
  }
}

/** Runs after the next render. */
function focusOn(find: () => HTMLElement | null): void {
  requestAnimationFrame(() => requestAnimationFrame(() => find()?.focus()))
}

function withOrWithout(before: ReadonlySet<string>, id: string, isIn: boolean): Set<string> {
  const after = new Set(before)
  if (isIn) after.add(id)
  else after.delete(id)
  return after
}

function outcomeText({ status, needed }: Approval, title: string): string {
  if (status === 'approved') return `Approved: ${title}. It is running now.`
  if (status === 'rejected') return `Rejected: ${title}.`
  return `You approved ${title}. It needs ${needed} approvals.`
}
