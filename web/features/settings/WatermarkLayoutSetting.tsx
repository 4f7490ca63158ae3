import type { User } from '@keepsnap/contract/accounts.ts'
import type { WatermarkCorner, WatermarkSize, WatermarkStrength } from '@keepsnap/contract/watermark.ts'
import { useId } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { settings } from '../../messages/en/settings.ts'
import { SaveStatus } from '../../ui/SaveStatus.tsx'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { useSetting } from './useSetting.ts'

const sizes: WatermarkSize[] = ['small', 'medium', 'large']
const strengths: WatermarkStrength[] = ['light', 'medium', 'strong']
/** In reading order. */
const corners: WatermarkCorner[] = ['top-left', 'top-right', 'center', 'bottom-left', 'bottom-right']

/** How large, where and how opaque the logo is on photos. Each choice is saved at once. */
export function WatermarkLayoutSetting({ user }: { user: User }) {
  const text = useText({ settings }).watermarkLayout
  const size = useSetting('watermark_size', text, user.watermark_size)
  const corner = useSetting('watermark_corner', text, user.watermark_corner)
  const strength = useSetting('watermark_strength', text, user.watermark_strength)
  const optionsOf = <T extends string>(values: T[], labels: Record<T, string>) =>
    values.map((value) => ({ value, label: labels[value] }))
  return (
    <div className="watermark-layout">
      <div>
        <p className="label" aria-hidden="true">
          {text.size}
        </p>
        <SegmentedControl
          legend={text.size}
          value={size.value}
          options={optionsOf(sizes, text.sizes)}
          onChange={size.change}
        />
      </div>
      <div>
        <p className="label" aria-hidden="true">
          {text.strength}
        </p>
        <SegmentedControl
          legend={text.strength}
          value={strength.value}
          options={optionsOf(strengths, text.strengths)}
          onChange={strength.change}
        />
      </div>
      <CornerChoice value={corner.value} onChange={corner.change} />
      <SaveStatus message={size.message ?? strength.message ?? corner.message} />
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
