import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import type { WatermarkRun } from '@keepsnap/contract/branding.ts'
import type { User, WatermarkCorner } from '@keepsnap/contract/accounts.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { useApi } from '../../lib/app-services.tsx'
import { errorMessage } from '../../lib/api-errors.ts'
import { hasFailed, Skeleton } from '../../ui/QueryView.tsx'
import { branding } from '../../messages/en/branding.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { settings } from '../../messages/en/settings.ts'
import { SaveStatus } from '../../ui/SaveStatus.tsx'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { useSaved } from '../../ui/useSaved.ts'
import { isRunActive, useStartRun, useStopRun, watermarkPreviewQuery, watermarkRunQuery } from './queries.ts'
import { Picture } from './Appearance.tsx'

/** Details of the watermark setting: why it has no effect, a preview beside its layout, and the existing photos. */
export function WatermarkDetails({ user, included, on, layout }: Props) {
  const text = useText({ branding }).watermark
  const hasLogo = user.logo_url !== null
  return (
    <>
      {on && !hasLogo && included !== undefined && (
        <Note tone="warn">{included ? text.noLogo : `${text.noLogo} ${text.noEffect}`}</Note>
      )}
      {included && hasLogo && (
        <div className="watermark-choices">
          <WatermarkPreview key={user.logo_url} user={user} />
          {layout}
        </div>
      )}
      {included && <WatermarkRunCard hasLogo={hasLogo} hasPhotos={user.photo_count > 0} />}
    </>
  )
}

/** Adds the watermark to existing photos or removes it, with progress and a way to stop. */
function WatermarkRunCard({ hasLogo, hasPhotos }: { hasLogo: boolean; hasPhotos: boolean }) {
  const text = useText({ branding }).existing
  const heading = useId()
  const query = useQuery(watermarkRunQuery(useApi()))
  const run = query.data
  const startRun = useStartRun()
  const stopRun = useStopRun()
  // With a logo, something is always shown, so its space is reserved while the state is loading.
  const isShown = run ? hasLogo || isRunActive(run) || run.undoable > 0 : hasLogo && !hasFailed(query)
  if (!isShown) return null
  return (
    <section className="card watermark-run" tabIndex={-1} aria-labelledby={heading}>
      <h3 id={heading}>{text.heading}</h3>
      {!run ? (
        <>
          <p className="small">
            <Skeleton width="20ch" />
          </p>
          <div className="row">{hasPhotos && <Skeleton width="14rem" height="var(--touch-target)" />}</div>
        </>
      ) : isRunActive(run) ? (
        <WatermarkProgress run={run} busy={stopRun.isPending} onStop={() => stopRun.mutate()} />
      ) : (
        <WatermarkActions
          run={run}
          hasLogo={hasLogo}
          busy={startRun.isPending}
          onStart={(what) => startRun.mutate(what)}
        />
      )}
      {startRun.isError && <Note tone="bad">{errorMessage(startRun.error, text.startFailed)}</Note>}
      {stopRun.isError && <Note tone="bad">{errorMessage(stopRun.error, text.stopFailed)}</Note>}
    </section>
  )
}

function WatermarkProgress({ run, busy, onStop }: { run: WatermarkRun; busy: boolean; onStop: () => void }) {
  const text = useText({ branding }).existing
  const format = useFormat()
  const runLabel = run.what === 'undo' ? text.undoing : text.applying
  const isStopping = run.state === 'stopping'
  return (
    <>
      <p className="label">{runLabel}</p>
      <progress
        className="progress-bar"
        aria-label={runLabel}
        max={Math.max(run.total, 1)}
        value={run.done + run.failed}
      />
      <output className="small muted tabular-numbers">
        {isStopping ? text.stopping : text.progress(format.count(run.done), format.count(run.total))}
      </output>
      <div className="row">
        <Button busy={busy || isStopping} onClick={onStop}>
          {text.stop}
        </Button>
      </div>
    </>
  )
}

interface WatermarkActionsProps {
  run: WatermarkRun
  hasLogo: boolean
  busy: boolean
  onStart: (what: 'apply' | 'undo') => void
}

function WatermarkActions({ run, hasLogo, busy, onStart }: WatermarkActionsProps) {
  const text = useText({ branding }).existing
  const format = useFormat()
  const { applicable, undoable, failed } = run
  const canApply = hasLogo && applicable > 0
  return (
    <>
      <LastRun run={run} />
      {failed > 0 && run.state !== 'idle' && <Note tone="warn">{text.failed(format.count(failed), failed === 1)}</Note>}
      <p className="small muted tabular-numbers">
        {canApply && <span>{text.applicable(format.count(applicable), applicable === 1)} </span>}
        {undoable > 0 && <span>{text.undoable(format.count(undoable), undoable === 1)}</span>}
        {!canApply && undoable === 0 && text.none}
      </p>
      <div className="row">
        {canApply && (
          <Button busy={busy} onClick={() => onStart('apply')}>
            {text.apply}
          </Button>
        )}
        {undoable > 0 && (
          <Button tone="ghost" busy={busy} onClick={() => onStart('undo')}>
            {text.undo}
          </Button>
        )}
      </div>
    </>
  )
}

function LastRun({ run: { state, done, total } }: { run: WatermarkRun }) {
  const text = useText({ branding }).existing
  const format = useFormat()
  if (state === 'done') return <Note tone="ok">{text.done(format.count(done), done === 1)}</Note>
  if (state === 'stopped') return <Note tone="plain">{text.stopped(format.count(done), format.count(total))}</Note>
  return null
}

interface Props {
  user: User
  /** Whether the plan includes branding; undefined while that is not known. */
  included: boolean | undefined
  on: boolean
  layout: ReactNode
}

function WatermarkPreview({ user }: { user: User }) {
  const allText = useText({ branding })
  const text = allText.watermark
  // The previous preview stays until the next one is there.
  const query = useQuery({ ...watermarkPreviewQuery(useApi(), user), placeholderData: keepPreviousData })
  const { data: preview, isPlaceholderData } = query
  if (preview === null) return <p className="small muted">{text.previewNone}</p>
  if (hasFailed(query) && !preview) return <p className="small muted">{text.previewFailed}</p>
  return (
    <figure className="watermark-preview">
      <figcaption className="label">{text.previewLabel}</figcaption>
      <div className="picture watermark-preview__picture" aria-busy={isPlaceholderData}>
        {preview ? (
          <Picture source={preview} alt={text.previewAlt} none={null} broken={allText.broken} />
        ) : (
          <Skeleton height="100%" />
        )}
      </div>
    </figure>
  )
}

/** In reading order. */
const corners: WatermarkCorner[] = ['top-left', 'top-right', 'center', 'bottom-left', 'bottom-right']

/** How large, where and how opaque the logo is on photos. Each choice is saved at once. */
export function WatermarkLayoutSetting({ user }: { user: User }) {
  const { watermark, watermarkLayout: text } = useText({ settings })
  const size = useSaved('watermark_size', watermark, user.watermark_size)
  const corner = useSaved('watermark_corner', watermark, user.watermark_corner)
  const strength = useSaved('watermark_strength', watermark, user.watermark_strength)
  return (
    <div className="watermark-layout">
      <Segments legend={text.size} labels={text.sizes} setting={size} />
      <Segments legend={text.strength} labels={text.strengths} setting={strength} />
      <CornerChoice value={corner.value} onChange={corner.change} />
      <SaveStatus message={size.message ?? strength.message ?? corner.message} />
    </div>
  )
}

interface SegmentsProps<Value extends string> {
  legend: string
  labels: Readonly<Record<Value, string>>
  setting: { value: Value; change: (value: Value) => void }
}

function Segments<Value extends string>({ legend, labels, setting }: SegmentsProps<Value>) {
  const values = Object.keys(labels) as Value[] // the catalogue has each value, in order
  return (
    <div>
      <p className="label" aria-hidden="true">
        {legend}
      </p>
      <SegmentedControl
        legend={legend}
        value={setting.value}
        options={values.map((value) => ({ value, label: labels[value] }))}
        onChange={setting.change}
      />
    </div>
  )
}

/** A small picture of a photo, with a place for the logo in each corner and in the centre. */
function CornerChoice({ value, onChange }: { value: WatermarkCorner; onChange: (corner: WatermarkCorner) => void }) {
  const text = useText({ settings }).watermarkLayout
  const name = useId()
  return (
    <fieldset className="corner-choice">
      <legend className="label">{text.corner}</legend>
      <div className="corner-choice__photo">
        {corners.map((corner) => (
          <label key={corner} className={`corner-choice__place corner-choice__place--${corner}`}>
            <input
              type="radio"
              name={name}
              value={corner}
              checked={corner === value}
              onChange={() => onChange(corner)}
            />
            <span className="visually-hidden">{text.corners[corner]}</span>
          </label>
        ))}
      </div>
      <p className="tiny muted" aria-hidden="true">
        {text.corners[value]}
      </p>
    </fieldset>
  )
}
