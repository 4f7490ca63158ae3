import { ChevronLeft, ChevronRight, Pin, PinOff } from 'lucide-react'
import { useFormat, useText } from '../../../lib/i18n.tsx'
import { latest } from '../../../messages/en/latest.ts'
import { photoStateOf } from '../photo-state.ts'
import { ToolbarButton } from './LatestToolbar.tsx'
import type { BigScreenState } from './useBigScreenState.ts'

/** Shows until when the photo is held, together with the controls. */
export function HoldIndicator({ hold }: Pick<BigScreenState, 'hold'>) {
  const text = useText({ latest })
  const heldUntil = useHeldUntil(hold)
  return heldUntil !== null && <output className="latest__sign tabular-numbers">{text.hold.until(heldUntil)}</output>
}

function useHeldUntil({ photo, endsAt }: BigScreenState['hold']): string | null {
  const format = useFormat()
  return photo && endsAt !== null ? format.time(new Date(endsAt).toISOString()) : null
}

/** Which photo the big screen shows: the previous one, the next one, and whether it stays. */
export function BigScreenControls({ state: { photo, hold, previous, next } }: { state: BigScreenState }) {
  const text = useText({ latest })
  const heldUntil = useHeldUntil(hold)
  return (
    <>
      <ToolbarButton
        icon={ChevronLeft}
        label={text.toolbar.previous}
        shortcut="ArrowLeft"
        disabled={!previous}
        onClick={() => previous?.()}
      />
      {heldUntil !== null ? (
        <ToolbarButton
          icon={PinOff}
          label={text.hold.release}
          title={text.hold.until(heldUntil)}
          shortcut="Space"
          busy={hold.busy}
          onClick={hold.release}
        />
      ) : (
        <ToolbarButton
          icon={Pin}
          label={text.hold.hold}
          title={text.hold.hint}
          shortcut="Space"
          disabled={!photo || photoStateOf(photo) !== 'ready'}
          busy={hold.busy}
          onClick={() => photo && hold.hold(photo)}
        />
      )}
      <ToolbarButton
        icon={ChevronRight}
        label={text.toolbar.next}
        shortcut="ArrowRight"
        disabled={!next}
        onClick={() => next?.()}
      />
    </>
  )
}
