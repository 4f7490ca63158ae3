import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { Download, ReceiptText } from 'lucide-react'
import { useId, useState } from 'react'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import {
  type BusinessInvoice,
  getBusinessInvoice,
  listBusinessInvoices,
  setInvoiceRate,
} from '@keepsnap/contract/operator-invoices.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { useApi } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { downloadFile } from '../../lib/urls.ts'
import { operator, operatorInvoices } from '../../messages/en/operators.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Note } from '../../ui/Note.tsx'
import {
  AccountButton,
  CardTable,
  ConfirmedAction,
  ListSkeleton,
  operatorKey,
  Pager,
  refetchInterval,
  SectionView,
} from './section-parts.tsx'

const pageSize = 10
const columns = ['issued', 'number', 'business', 'amount', 'rate', 'document'] as const

/** Invoices of businesses and their credit notes, which the operator hands over to a Peppol provider. */
export function BusinessInvoices({ onOpenUser }: { onOpenUser: (id: string) => void }) {
  const text = useText({ operatorInvoices })
  const { errors } = useText({ operator })
  const format = useFormat()
  const heading = useId()
  const api = useApi()
  const [skip, setSkip] = useState(0)
  const [rated, setRated] = useState<BusinessInvoice | null>(null)
  const query = useQuery({
    queryKey: [...operatorKey, 'invoices', skip],
    queryFn: ({ signal }) => api.call(listBusinessInvoices, { query: { skip, limit: pageSize } }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval,
  })
  const waiting = query.data?.waiting ?? 0
  return (
    <section className="operator-section" id="invoices" aria-labelledby={heading}>
      <div className="operator-invoices__head">
        <h2 id={heading}>{text.heading}</h2>
        {waiting > 0 && <span className="badge badge--warn">{text.waiting(waiting, format.count(waiting))}</span>}
      </div>
      <p className="small muted">{text.lead}</p>
      <SectionView query={query} failed={text.failed} loading={<ListSkeleton rows={2} />} stale={errors.outdated}>
        {(data) =>
          data.total === 0 ? (
            <p className="card operator-empty operator-empty--card">
              <ReceiptText className="icon" />
              <span>{text.empty}</span>
            </p>
          ) : (
            <>
              <CardTable
                kind="invoices"
                label={text.heading}
                columns={columns}
                names={text.columns}
                isOutdated={query.isPlaceholderData}
              >
                {data.invoices.map((invoice) => (
                  <InvoiceRow
                    key={invoice.id}
                    invoice={invoice}
                    onOpenUser={onOpenUser}
                    onRate={() => setRated(invoice)}
                  />
                ))}
              </CardTable>
              <Pager
                {...data}
                shown={data.invoices.length}
                pageSize={pageSize}
                isOutdated={query.isPlaceholderData}
                toPage={setSkip}
              />
            </>
          )
        }
      </SectionView>
      {rated && <RateDialog invoice={rated} onClose={() => setRated(null)} />}
    </section>
  )
}

/** An amount in the currency of an invoice. */
function useAmount(currency: string): (cents: number) => string {
  const { locale } = useFormat()
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
  return (cents) => format.format(cents / 100)
}

function InvoiceRow({
  invoice,
  onOpenUser,
  onRate,
}: {
  invoice: BusinessInvoice
  onOpenUser: (id: string) => void
  onRate: () => void
}) {
  const text = useText({ operatorInvoices })
  const format = useFormat()
  const amount = useAmount(invoice.currency)
  const { kind, number, corrects, issued_at: issuedAt, buyer, account, eur_rate: rate, rate_by: rateBy } = invoice
  const waits = invoice.waits_for
  return (
    <tr data-invoice={invoice.id}>
      <td className="tabular-numbers operator-invoices__at">
        <time dateTime={issuedAt} translate="no">
          {format.date(issuedAt)}
        </time>
      </td>
      <td>
        <b className="operator-invoices__number" translate="no">
          {number}
        </b>
        <span className="tiny muted operator-line">
          {corrects === null ? text.kinds[kind] : text.corrects(corrects)}
        </span>
      </td>
      <td>
        <span className="operator-invoices__name" dir="auto" translate="no">
          {buyer.name === '' ? text.noName : buyer.name}
        </span>
        <span className="tiny muted operator-line" translate="no">
          {buyer.vat_number}
        </span>
        {account && (
          <span className="tiny operator-line">
            <AccountButton account={account} onOpenUser={onOpenUser} />
          </span>
        )}
      </td>
      <td className="tabular-numbers">
        <span translate="no">{amount(invoice.total_cents)}</span>
        <span className="tiny muted operator-line">
          {invoice.reverse_charge ? text.reverseCharge : text.vat(amount(invoice.vat_cents))}
        </span>
      </td>
      <td className="tabular-numbers">
        {rate === null ? (
          <span className="muted">{text.noRate}</span>
        ) : (
          <span translate="no">{new Intl.NumberFormat(format.locale, { maximumFractionDigits: 6 }).format(rate)}</span>
        )}
        {rateBy !== null && <span className="tiny muted operator-line">{text.rateBy[rateBy]}</span>}
      </td>
      <td>
        {waits.length > 0 && (
          <>
            <span className="badge badge--warn">{text.waits}</span>
            <span className="tiny operator-line">{text.waitsFor(waits.map((one) => text.missing[one]))}</span>
            {waits.some((one) => one.startsWith('buyer_')) && (
              <span className="tiny muted operator-line">
                {account ? text.customerCompletes : text.nobodyCompletes}
              </span>
            )}
            {waits.includes('seller') && <span className="tiny muted operator-line">{text.operatorCompletes}</span>}
          </>
        )}
        <span className="operator-invoices__actions">
          {waits.length === 0 && <DownloadButton invoice={invoice} />}
          {rateBy !== 'provider' && (
            <Button aria-label={text.rateOf(number)} onClick={onRate}>
              {rate === null ? text.enterRate : text.changeRate}
            </Button>
          )}
        </span>
      </td>
    </tr>
  )
}

function DownloadButton({ invoice: { id, number } }: { invoice: BusinessInvoice }) {
  const text = useText({ operatorInvoices })
  const api = useApi()
  const download = useMutation({
    mutationFn: () => api.call(getBusinessInvoice, { params: { id } }),
    onSuccess: ({ file_name: name, xml }) => downloadFile(new Blob([xml], { type: 'application/xml' }), name),
  })
  return (
    <>
      <Button aria-label={text.downloadOf(number)} busy={download.isPending} onClick={() => download.mutate()}>
        <Download className="icon" />
        {text.download}
      </Button>
      {download.isError && <Note tone="bad">{errorMessage(download.error, text.failedDownload)}</Note>}
    </>
  )
}

/** The number in a text with a point or a comma; undefined for what is not a possible rate. */
function readRate(typed: string): number | undefined {
  const rate = /^\d{1,3}([.,]\d{1,8})?$/.test(typed.trim()) ? Number(typed.trim().replace(',', '.')) : NaN
  return rate >= billingLimits.eurRateMin && rate <= billingLimits.eurRateMax ? rate : undefined
}

/** Asks for the rate of the euro on the day of an invoice. */
function RateDialog({ invoice, onClose }: { invoice: BusinessInvoice; onClose: () => void }) {
  const { rateDialog: text } = useText({ operatorInvoices })
  const format = useFormat()
  const api = useApi()
  const [typed, setTyped] = useState(invoice.eur_rate === null ? '' : String(invoice.eur_rate))
  const rate = readRate(typed)
  return (
    <ConfirmedAction
      title={text.title(invoice.number)}
      question={text.question(invoice.currency, format.date(invoice.issued_at))}
      submit={text.submit}
      errors={rate === undefined ? { rate: text.wrong(invoice.currency) } : {}}
      act={(reason) => api.call(setInvoiceRate, { params: { id: invoice.id }, body: { eur_rate: rate ?? 0, reason } })}
      done={() => text.done(invoice.number)}
      onClose={onClose}
    >
      {(shown) => (
        <Field
          label={text.rate(invoice.currency)}
          name="rate"
          inputMode="decimal"
          autoComplete="off"
          maxLength={12}
          required
          value={typed}
          error={shown['rate']}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
    </ConfirmedAction>
  )
}
