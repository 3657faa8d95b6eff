/**
 * Calls `work` every `ms`. Nothing that a timer runs ends the process, because no caller hears of the fault: it is printed, and the next
 * call comes.
 */
export function every(ms: number, work: () => unknown): NodeJS.Timeout {
  return setInterval(async () => {
    try {
      await work()
    } catch (fault) {
      console.error(fault)
    }
  }, ms)
}
