import type { WatermarkRun } from '@keepsnap/contract/branding.ts'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { useApi } from '../../lib/app-services.tsx'
import { errorMessage } from '../../lib/error-message.ts'
import { hasFailed } from '../../lib/query-failure.ts'
import { branding } from '../../messages/en/branding.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { isRunActive, watermarkRunQuery, useStartRun, useStopRun } from './queries.ts'

/** Adds the watermark to existing photos or removes it, with progress and a way to stop. */
export function WatermarkRunCard({ hasLogo, hasPhotos }: { hasLogo: boolean; hasPhotos: boolean }) {
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
        <WatermarkRunSkeleton hasPhotos={hasPhotos} />
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

function WatermarkRunSkeleton({ hasPhotos }: { hasPhotos: boolean }) {
  return (
    <>
      <p className="small">
        <Skeleton width="20ch" />
      </p>
      <div className="row">{hasPhotos && <Skeleton width="14rem" height="var(--touch-target)" />}</div>
    </>
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

/** How the last run ended. */
function LastRun({ run: { state, done, total } }: { run: WatermarkRun }) {
  const text = useText({ branding }).existing
  const format = useFormat()
  if (state === 'done') return <Note tone="ok">{text.done(format.count(done), done === 1)}</Note>
  if (state === 'stopped') return <Note tone="plain">{text.stopped(format.count(done), format.count(total))}</Note>
  return null
}
