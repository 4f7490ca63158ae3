import { useText } from '../lib/i18n.tsx'
import { useTheme } from '../lib/app-services.tsx'
import { themeChoices } from '../lib/theme.ts'
import { SegmentedControl } from './SegmentedControl.tsx'
import { frame } from '../messages/en/frame.ts'

export function ThemeSwitch() {
  const [choice, choose] = useTheme()
  const text = useText({ frame })
  const options = themeChoices.map((value) => ({ value, label: text.themes[value] }))
  return <SegmentedControl legend={text.theme} value={choice} options={options} onChange={choose} />
}
