/** Checks that each source file has a test beside it, or is in the table of ARCHITECTURE.md that says which tests run it. */
import { projectFiles, projectPaths, reportProblems } from './source-files.ts'
import { checkTestTable, readTestTable } from './test-table.ts'

const architecture = projectFiles(/^ARCHITECTURE\.md$/)[0]?.text ?? ''
reportProblems('tests of files', checkTestTable(readTestTable(architecture), projectPaths(/./)))
