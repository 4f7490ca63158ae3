import { ChevronLeft, ChevronRight, CircleCheck, type LucideIcon, X } from 'lucide-react'
import { type ComponentProps, type PointerEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { confirmOperator } from '@keepsnap/contract/operators.ts'
import { adminLimits } from '@keepsnap/contract/limits.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { states } from '../../messages/en/frame.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogForm, type FieldErrors } from '../../ui/Dialog.tsx'
import { ToastOutlet, useToast } from '../../ui/Toasts.tsx'
import { ApiError, errorMessage } from '../../lib/api-errors.ts'
import { useApi } from '../../lib/app-services.tsx'
import { usePasswordConfirmation } from '../../ui/usePasswordConfirmation.tsx'
import { useFocusFallback } from '../../lib/focus.ts'
import { operator, operatorUsers } from '../../messages/en/operators.ts'
import { Field } from '../../ui/Field.tsx'
import { QueryView, Skeleton } from '../../ui/QueryView.tsx'
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

/** How often what the page shows is fetched again. */
export const refetchInterval = 30_000
/** Key prefix of all queries of this page; an action invalidates them. */
export const operatorKey = ['operator'] as const

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
  /** Called before the dialog closes; returns the sentence that is shown then. */
  done: (result: Result) => string
  onClose: () => void
}

/** Asks for the reason of an operator's action, and for the password when the server requires it. */
export function ConfirmedAction<Result>({
  title,
  question,
  act,
  done,
  children,
  errors = {},
  onClose,
  ...form
}: ConfirmedActionProps<Result>) {
  const text = useText({ operator }).confirmation
  const id = useId()
  const api = useApi()
  const queryClient = useQueryClient()
  const toast = useToast()
  const [reason, setReason] = useState('')
  const confirmation = usePasswordConfirmation(text, (password) => api.call(confirmOperator, { body: { password } }))
  const refetch = (): void => void queryClient.invalidateQueries({ queryKey: operatorKey })
  const action = useMutation({
    mutationFn: () => confirmation.run(() => act(reason.trim())),
    onSuccess(result) {
      refetch()
      const sentence = done(result)
      onClose()
      toast({ text: sentence })
    },
    onError(error) {
      // What the page shows may be out of date, and the log has the refusal.
      if (error instanceof ApiError && confirmation.problemOf(error)) refetch()
    },
  })
  const problem = confirmation.problemOf(action.error)
  return (
    <Dialog
      role="alertdialog"
      open
      onClose={onClose}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-question`}
    >
      <section ref={useFocusFallback()} tabIndex={-1} className="operator-action">
        <h2 id={`${id}-title`}>{title}</h2>
        <p id={`${id}-question`}>{question}</p>
        <DialogForm
          {...form}
          errors={{ ...errors, ...(reason.trim() === '' && { reason: text.reasonNeeded }) }}
          problem={problem ? errorMessage(problem, text.failed) : undefined}
          busy={action.isPending}
          onSubmit={() => !confirmation.isMissing() && action.mutate()}
          onClose={onClose}
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
      </section>
    </Dialog>
  )
}

/** A name that opens its account in the drawer. */
export function AccountButton({
  account: { id, username },
  onOpenUser,
}: {
  account: { id: string; username: string }
  onOpenUser: (id: string) => void
}) {
  const { owner } = useText({ operator })
  return (
    <button type="button" className="text-button" aria-label={owner(username)} onClick={() => onOpenUser(id)}>
      <span className="ellipsis" translate="no">
        {username}
      </span>
    </button>
  )
}

/** A list of operators that is being loaded. */
export const ListSkeleton = ({ rows }: { rows: number }) => (
  <RowsSkeleton rows={rows} className="card operator-skeleton">
    {() => (
      <>
        <Skeleton />
        <Skeleton />
        <Skeleton />
      </>
    )}
  </RowsSkeleton>
)

interface PagerProps {
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
export function Pager({ shown, total, skip, pageSize, isOutdated, toPage }: PagerProps) {
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

interface TableProps<Column extends string> {
  /** Of the table's class. */
  kind: string
  label: string
  columns: readonly Column[]
  /** The headings of the columns. */
  names: Record<Column, string>
  /** The rows of another search or page are shown until these are loaded. */
  isOutdated?: boolean
  /** The rows. */
  children: ReactNode
}

/** A table on wide screens, cards on narrow ones. */
export const CardTable = <Column extends string>(table: TableProps<Column>) => (
  <div className={`card operator-table operator-table--${table.kind}`} aria-busy={table.isOutdated || undefined}>
    <table className="table" aria-label={table.label}>
      <thead>
        <tr>
          {table.columns.map((name) => (
            <th key={name} scope="col">
              {table.names[name]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{table.children}</tbody>
    </table>
  </div>
)

/** What a query has loaded, that it is loading, or that it failed; smaller than on other pages. */
export const SectionView = <Data,>(view: ComponentProps<typeof QueryView<Data>>) => (
  <QueryView {...view} className="operator-state" />
)

/** A sentence in the place of what there is not. */
export function Nothing({ icon: Icon = CircleCheck, children }: { icon?: LucideIcon; children: ReactNode }) {
  return (
    <p className="operator-empty">
      <Icon className="icon" />
      {children}
    </p>
  )
}

/** Lines while something is being loaded, by the sizes of their parts. */
export function RowsSkeleton({
  rows,
  className = 'operator-rows',
  children,
}: {
  rows: number
  className?: string
  children: (row: number) => ReactNode
}) {
  return (
    <div className={className} aria-hidden="true">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row}>{children(row)}</div>
      ))}
    </div>
  )
}
