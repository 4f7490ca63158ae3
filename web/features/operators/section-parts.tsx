import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { type ComponentProps, type PointerEvent, type ReactNode, useId, useRef, useState } from 'react'
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import {
  type AuditEntry,
  confirmOperator,
  listAuditEntries,
  operatorGetUser,
  operatorHealth,
  operatorIntegrity,
  operatorListUsers,
  operatorOverview,
  type UserFilter,
} from '@keepsnap/contract/operators.ts'
import { findEmails, findPhoto, listFailedPhotos, listReportedPhotos } from '@keepsnap/contract/operator-support.ts'
import { adminLimits } from '@keepsnap/contract/limits.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { states } from '../../messages/en/frame.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogForm, type FieldErrors } from '../../ui/Dialog.tsx'
import { ToastOutlet } from '../../ui/Toasts.tsx'
import { ApiError, errorMessage } from '../../lib/api-errors.ts'
import type { Api } from '../../lib/api.ts'
import { useApi } from '../../lib/app-services.tsx'
import { usePasswordConfirmation } from '../../ui/usePasswordConfirmation.tsx'
import { useFocusFallback } from '../../lib/focus.ts'
import { operator, operatorUsers } from '../../messages/en/operators.ts'
import { Field } from '../../ui/Field.tsx'
import { LoadFailed as LoadFailedCard, Skeleton } from '../../ui/QueryView.tsx'
import './operator.css'

interface DrawerProps {
  open: boolean
  onClose: () => void
  /** Id of the heading in `head`. */
  labelledBy: string
  /** The heading, and what belongs to it. */
  head: ReactNode
  children: ReactNode
}

/** A dialog at the right edge, as high as the window and on phones as wide. Escape and a press beside it close it. */
export function Drawer({ open, onClose, labelledBy, head, children }: DrawerProps) {
  const { close } = useText({ states })
  // A press that begins inside and ends outside, as when text is selected, does not close it.
  const pressedOutside = useRef(false)
  const isOutside = ({ target, currentTarget }: { target: EventTarget; currentTarget: EventTarget }): boolean =>
    target === currentTarget
  return (
    <Dialog
      open={open}
      onClose={onClose}
      className="drawer"
      aria-labelledby={labelledBy}
      onPointerDown={(event: PointerEvent) => (pressedOutside.current = isOutside(event))}
      onClick={(event) => pressedOutside.current && isOutside(event) && onClose()}
    >
      <div className="drawer__content">
        <header className="drawer__head">
          <div>{head}</div>
          <Button tone="ghost" icon aria-label={close} onClick={onClose}>
            <X className="icon" />
          </Button>
        </header>
        {/* Scrolls, so the keyboard needs to reach it. */}
        <div className="drawer__body" tabIndex={-1}>
          {children}
        </div>
        <ToastOutlet />
      </div>
    </Dialog>
  )
}

const refetchInterval = 30_000
/** Key prefix of all queries of this page; an action invalidates them. */
export const operatorKey = ['operator'] as const

export const overviewQuery = (api: Api) =>
  queryOptions({
    queryKey: [...operatorKey, 'overview'],
    queryFn: ({ signal }) => api.call(operatorOverview, {}, { signal }),
    refetchInterval,
  })

export const healthQuery = (api: Api) =>
  queryOptions({
    queryKey: [...operatorKey, 'health'],
    queryFn: ({ signal }) => api.call(operatorHealth, {}, { signal }),
    refetchInterval,
  })

const runningMs = 3_000

export const integrityQuery = (api: Api) =>
  queryOptions({
    queryKey: [...operatorKey, 'integrity'],
    queryFn: ({ signal }) => api.call(operatorIntegrity, {}, { signal }),
    refetchInterval: ({ state }) => (state.data?.running ? runningMs : refetchInterval),
  })

const photosPageSize = 8
/** Lists with more loaded pages are not polled. */
const maxRefetchedPages = 3

interface PhotoPage<Photo> {
  photos: Photo[]
  total: number
  skip: number
}

/** Options of both lists of photos: offset pagination, and polling while few pages are loaded. */
const photoPages = {
  initialPageParam: 0,
  getNextPageParam({ photos, total, skip }: PhotoPage<unknown>): number | null {
    const next = skip + photos.length
    return photos.length > 0 && next < total ? next : null
  },
  refetchInterval: ({ state }: { state: { data?: { pages: unknown[] } | undefined } }) =>
    (state.data?.pages.length ?? 1) <= maxRefetchedPages && refetchInterval,
}

export const failedPhotosQuery = (api: Api) =>
  infiniteQueryOptions({
    queryKey: [...operatorKey, 'failed-photos'],
    queryFn: ({ pageParam: skip, signal }) =>
      api.call(listFailedPhotos, { query: { skip, limit: photosPageSize } }, { signal }),
    ...photoPages,
  })

export const reportedPhotosQuery = (api: Api) =>
  infiniteQueryOptions({
    queryKey: [...operatorKey, 'reported-photos'],
    queryFn: ({ pageParam: skip, signal }) =>
      api.call(listReportedPhotos, { query: { skip, limit: photosPageSize } }, { signal }),
    ...photoPages,
  })

export interface UserListInput {
  search: string
  filter: UserFilter
  skip: number
}
export const usersPageSize = 20

export const usersQuery = (api: Api, { search, filter, skip }: UserListInput) =>
  queryOptions({
    queryKey: [...operatorKey, 'users', { search, filter, skip }],
    queryFn: ({ signal }) => {
      const query = { filter, skip, limit: usersPageSize, ...(search && { search }) }
      return api.call(operatorListUsers, { query }, { signal })
    },
    placeholderData: keepPreviousData,
  })

export const userQuery = (api: Api, userId: string) =>
  queryOptions({
    queryKey: [...operatorKey, 'user', userId],
    queryFn: ({ signal }) => api.call(operatorGetUser, { params: { user_id: userId } }, { signal }),
  })

export const emailsQuery = (api: Api, address: string) =>
  queryOptions({
    queryKey: [...operatorKey, 'emails', address],
    queryFn: ({ signal }) => api.call(findEmails, { query: { address } }, { signal }),
    refetchInterval,
    // An address that is none stays so.
    retry: false,
  })

export const photoQuery = (api: Api, text: string) =>
  queryOptions({
    queryKey: [...operatorKey, 'photo', text],
    queryFn: ({ signal }) => api.call(findPhoto, { query: { text } }, { signal }),
    retry: false,
  })

interface AuditPage {
  entries: AuditEntry[]
  has_more: boolean
}

interface AuditInput {
  limit: number
  /** Only entries about this account. */
  userId?: string
  /** Only entries of this kind of actor. */
  by?: AuditEntry['by']['kind'] | undefined
}

/** The audit log, newest first, page by page. */
export const auditQuery = (api: Api, { limit, userId, by }: AuditInput) =>
  infiniteQueryOptions({
    queryKey: [...operatorKey, 'audit', { limit, userId, by }],
    queryFn: ({ pageParam, signal }): Promise<AuditPage> => {
      const filters = { ...(userId && { user_id: userId }), ...(by && { by }) }
      const query = { limit, ...filters, ...(pageParam !== null && { before: pageParam }) }
      return api.call(listAuditEntries, { query }, { signal })
    },
    initialPageParam: null as string | null, // widens the type of the first page's parameter
    getNextPageParam: ({ entries, has_more }) => (has_more ? (entries.at(-1)?.id ?? null) : null),
  })

/** An action of an operator, for which the server may ask for the password. */
function useOperatorAction<Result>(
  text: Parameters<typeof usePasswordConfirmation>[0],
  { act, onDone }: { act: (reason: string) => Promise<Result>; onDone: (result: Result) => void },
) {
  const api = useApi()
  const queryClient = useQueryClient()
  const confirmation = usePasswordConfirmation(text, (password) => api.call(confirmOperator, { body: { password } }))
  const refetch = (): void => void queryClient.invalidateQueries({ queryKey: operatorKey })
  const mutation = useMutation({
    mutationFn: (reason: string) => confirmation.run(() => act(reason)),
    onSuccess(result) {
      refetch()
      onDone(result)
    },
    onError(error) {
      // What the page shows may be out of date, and the log has the refusal.
      if (error instanceof ApiError && confirmation.problemOf(error)) refetch()
    },
  })
  return { ...mutation, confirmation, problem: confirmation.problemOf(mutation.error) }
}

interface ConfirmedActionProps<Result> {
  title: string
  question: string
  /** The action as a verb. */
  submit: string
  danger?: boolean
  /** Instead of "Cancel", where that would be ambiguous. */
  dismiss?: string
  /** Fields before the reason. */
  children?: (shown: FieldErrors) => ReactNode
  /** What is wrong in these fields. */
  errors?: FieldErrors
  act: (reason: string) => Promise<Result>
  onDone: (result: Result) => void
  onClose: () => void
}

/** Asks for the reason of an operator's action, and for the password when the server requires it. */
export function ConfirmedAction<Result>({ title, question, onClose, ...form }: ConfirmedActionProps<Result>) {
  const id = useId()
  return (
    <Dialog
      role="alertdialog"
      open
      onClose={onClose}
      className="dialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-question`}
    >
      <section ref={useFocusFallback()} tabIndex={-1} className="operator-action">
        <h2 id={`${id}-title`}>{title}</h2>
        <p id={`${id}-question`}>{question}</p>
        <ActionForm {...form} onClose={onClose} />
      </section>
    </Dialog>
  )
}

function ActionForm<Result>({
  act,
  onDone,
  children,
  errors = {},
  ...form
}: Omit<ConfirmedActionProps<Result>, 'title' | 'question'>) {
  const text = useText({ operator }).confirmation
  const [reason, setReason] = useState('')
  const { confirmation, problem, ...action } = useOperatorAction(text, { act, onDone })
  return (
    <DialogForm
      {...form}
      errors={{ ...errors, ...(reason.trim() === '' && { reason: text.reasonNeeded }) }}
      problem={problem ? errorMessage(problem, text.failed) : undefined}
      busy={action.isPending}
      onSubmit={() => !confirmation.isMissing() && action.mutate(reason.trim())}
    >
      {(shown) => (
        <>
          {children?.(shown)}
          <Field
            label={text.reason}
            name="reason"
            value={reason}
            maxLength={adminLimits.reasonChars}
            required
            error={shown['reason']}
            onChange={({ target }) => setReason(target.value)}
          />
          {confirmation.field}
        </>
      )}
    </DialogForm>
  )
}

/** A list of operators that is being loaded. */
export function ListSkeleton({ rows }: { rows: number }) {
  return (
    <div className="card operator-skeleton" aria-hidden="true">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index}>
          <Skeleton />
          <Skeleton />
          <Skeleton />
        </div>
      ))}
    </div>
  )
}

interface Props {
  /** Number of entries on this page. */
  shown: number
  total: number
  skip: number
  pageSize: number
  /** Another page is being loaded. */
  isOutdated: boolean
  toPage: (skip: number) => void
}

/** Pagination: which entries are shown, and buttons to the previous and the next page. */
export function Pager({ shown, total, skip, pageSize, isOutdated, toPage }: Props) {
  const text = useText({ operatorUsers })
  const format = useFormat()
  const last = skip + shown
  return (
    <div className="row row--between operator-pager">
      <output className="small muted tabular-numbers">
        {shown > 0 && text.range(format.count(skip + 1), format.count(last), format.count(total))}
      </output>
      {(total > pageSize || skip > 0) && (
        <span className="row">
          <Button disabled={skip === 0} onClick={() => !isOutdated && toPage(Math.max(0, skip - pageSize))}>
            <ChevronLeft className="icon" />
            {text.previous}
          </Button>
          <Button disabled={last >= total} onClick={() => !isOutdated && toPage(skip + pageSize)}>
            {text.next}
            <ChevronRight className="icon" />
          </Button>
        </span>
      )}
    </div>
  )
}

/** Replaces a section that could not be loaded; smaller than on other pages. */
export const SectionLoadFailed = (props: Omit<ComponentProps<typeof LoadFailedCard>, 'className'>) => (
  <LoadFailedCard {...props} className="operator-state" />
)
