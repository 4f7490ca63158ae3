import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Business,
  businessChars,
  type BusinessField,
  businessFields,
  type BusinessFields,
  businessProblems,
  getBusiness,
  noBusiness,
  normalizeBusiness,
  removeBusiness,
  setBusiness,
} from '@keepsnap/contract/businesses.ts'
import { vatExample } from '@keepsnap/contract/vat-numbers.ts'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import { ApiError, errorMessage, isTransient } from '../../lib/api-errors.ts'
import type { Api } from '../../lib/api.ts'
import { useApi } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { business as messages } from '../../messages/en/business.ts'
import { states } from '../../messages/en/frame.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmAction, Dialog, DialogForm, type FieldErrors } from '../../ui/Dialog.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { Field } from '../../ui/Field.tsx'
import { Note } from '../../ui/Note.tsx'
import { hasFailed } from '../../ui/QueryView.tsx'
import { SaveStatus, useTemporaryMessage } from '../../ui/SaveStatus.tsx'
import { businessAutoComplete, businessProblemText } from './business.ts'
import { subscriptionKey } from './plan-status.ts'

/** Longer than usual: the server waits for the payment provider. */
const callOptions = { timeoutMs: 40_000 }

const businessQuery = (api: Api) =>
  queryOptions({
    queryKey: [...subscriptionKey, 'business'],
    queryFn: ({ signal }) => api.call(getBusiness, {}, { signal }),
    staleTime: 5 * 60_000,
    retry: (failures, error) => failures < 1 && isTransient(error),
  })

/** The business that the invoices name, in Settings. */
export function BusinessDetails() {
  const text = useText({ business: messages })
  const { tryAgain, loading } = useText({ states })
  const query = useQuery(businessQuery(useApi()))
  const { data, isFetching, refetch } = query
  const isNotLoaded = !data && hasFailed(query)
  return (
    <div className="security-actions subscription__billing">
      {data ? (
        <Details {...data} />
      ) : (
        <div>
          <p>
            <b>{text.heading}</b>
            <span>{isNotLoaded ? text.errors.load : loading}</span>
          </p>
          {isNotLoaded && (
            <Button busy={isFetching} onClick={() => void refetch()}>
              {tryAgain}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

const isIncomplete = (business: Business): boolean =>
  businessFields.some((field) => field !== 'vat_number' && business[field] === '')

function Details({ business, is_pending: isPending }: Reply<typeof getBusiness>) {
  const text = useText({ business: messages })
  const [open, setOpen] = useState<'form' | 'removal' | null>(null)
  const [done, showDone] = useTemporaryMessage()
  const close = () => setOpen(null)
  return (
    <div className="security-actions__more">
      <p>
        <b>{text.heading}</b>
        <span>{business ? text.named : text.none}</span>
      </p>
      {business ? (
        <div className="row">
          <Button onClick={() => setOpen('form')} aria-label={`${text.change}: ${text.heading}`}>
            {text.change}
          </Button>
          <Button tone="ghost" onClick={() => setOpen('removal')} aria-label={text.removalTitle}>
            {text.remove}
          </Button>
        </div>
      ) : (
        <Button onClick={() => setOpen('form')}>{text.add}</Button>
      )}
      {business && <Facts business={business} />}
      {business && isIncomplete(business) && <Note tone="warn">{text.incomplete}</Note>}
      {isPending && <Note tone="plain">{text.pending}</Note>}
      <SaveStatus message={done} />
      <Dialog open={open === 'form'} onClose={close} title={text.heading}>
        <BusinessForm
          business={business}
          onClose={close}
          onSaved={() => {
            close()
            showDone({ tone: 'ok', text: text.saved })
          }}
        />
      </Dialog>
      {open === 'removal' && <Removal onClose={close} onRemoved={() => showDone({ tone: 'ok', text: text.removed })} />}
    </div>
  )
}

function Facts({
  business: { name, vat_number: vatNumber, street, postal_code, city, country },
}: {
  business: Business
}) {
  const text = useText({ business: messages })
  const { locale } = useFormat()
  // The provider may not know it.
  const countryName = country && new Intl.DisplayNames(locale, { type: 'region' }).of(country)
  const place = [postal_code, city].filter(Boolean).join(' ')
  return (
    <dl className="account-details subscription__facts subscription__business">
      <Fact name={text.fields.name} dir="auto" translate="no">
        {name}
      </Fact>
      <Fact name={text.fields.vat_number} translate="no">
        {vatNumber}
      </Fact>
      <Fact name={text.address} dir="auto" translate="no">
        {[street, place, countryName].filter(Boolean).join(', ')}
      </Fact>
    </dl>
  )
}

/** What is shown while a form is open was saved by it, or by the server meanwhile. */
function useStoreReply() {
  const api = useApi()
  const queryClient = useQueryClient()
  return (reply: Reply<typeof getBusiness>) => queryClient.setQueryData(businessQuery(api).queryKey, reply)
}

interface BusinessFormProps {
  business: Business | null
  onSaved: () => void
  onClose: () => void
}

function BusinessForm({ business, onSaved, onClose }: BusinessFormProps) {
  const text = useText({ business: messages })
  const format = useFormat()
  const api = useApi()
  const storeReply = useStoreReply()
  const [fields, setFields] = useState<BusinessFields>(() => (business ? normalizeBusiness(business) : noBusiness))
  const save = useMutation({
    mutationFn: () => api.call(setBusiness, { body: normalizeBusiness(fields) }, callOptions),
    onSuccess(reply) {
      storeReply(reply)
      onSaved()
    },
  })
  const normalized = normalizeBusiness(fields)
  const problems = businessProblems(normalized)
  const errors: FieldErrors = Object.fromEntries(
    businessFields.flatMap((field) => {
      const problem = problems[field]
      return problem ? [[field, businessProblemText(text, format, { field, problem, value: normalized[field] })]] : []
    }),
  )
  return (
    <DialogForm
      errors={errors}
      problem={save.error ? saveProblem(save.error, text) : undefined}
      submit={text.save}
      busy={save.isPending}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {(shown) => (
        <>
          <p className="small muted">{text.lead}</p>
          {businessFields.map((field) => (
            <BusinessInput
              key={field}
              field={field}
              value={fields[field]}
              error={shown[field]}
              onChange={(value) => {
                save.reset()
                setFields({ ...fields, [field]: value })
              }}
            />
          ))}
        </>
      )}
    </DialogForm>
  )
}

/** Only the payment provider refuses what this page has checked. */
const saveProblem = (error: Error, text: typeof messages): string =>
  error instanceof ApiError && error.status === 422 ? text.problems.payments : errorMessage(error, text.errors.save)

interface BusinessInputProps {
  field: BusinessField
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

function BusinessInput({ field, value, error, onChange }: BusinessInputProps) {
  const text = useText({ business: messages })
  return (
    <Field
      label={text.fields[field]}
      name={field}
      autoComplete={businessAutoComplete[field]}
      required
      dir="auto"
      translate="no"
      maxLength={2 * businessChars[field]}
      spellCheck={false}
      value={value}
      error={error}
      onChange={({ target }) => onChange(target.value)}
    >
      {field === 'vat_number' && !error && <p className="tiny muted">{text.vatHint(vatExample(value))}</p>}
    </Field>
  )
}

function Removal({ onClose, onRemoved }: { onClose: () => void; onRemoved: () => void }) {
  const text = useText({ business: messages })
  const api = useApi()
  const storeReply = useStoreReply()
  const remove = useMutation({
    mutationFn: () => api.call(removeBusiness, {}, callOptions),
    onSuccess: storeReply,
  })
  return (
    <ConfirmAction
      open
      title={text.removalTitle}
      question={text.removal}
      confirm={text.remove}
      action={remove}
      input={undefined}
      problemOf={(error) => errorMessage(error, text.errors.remove)}
      onDone={onRemoved}
      onClose={onClose}
    />
  )
}
