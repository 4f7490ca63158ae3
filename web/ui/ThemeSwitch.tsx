import { useText } from '../lib/i18n.tsx'
import { useTheme } from '../lib/parts.tsx'
import { themeChoices } from '../lib/theme.ts'
import { Segmented } from './Segmented.tsx'
import { frame } from '../messages/en/frame.ts'

export function ThemeSwitch() {
  const [choice, choose] = useTheme()
  const text = useText({ frame })
  const choices = themeChoices.map((value) => ({ value, label: text.themes[value] }))
  return <Segmented legend={text.theme} value={choice} choices={choices} onChange={choose} />
}
