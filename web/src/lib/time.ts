// Times and numbers as people read them.

const short = new Intl.DateTimeFormat(undefined, {hour: '2-digit', minute: '2-digit', second: '2-digit'});
const minutes = new Intl.DateTimeFormat(undefined, {hour: '2-digit', minute: '2-digit'});
const day = new Intl.DateTimeFormat(undefined, {month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit'});
const year = new Intl.DateTimeFormat(undefined, {year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit'});

// As short as it can be told on that day.
export function localTime(time: string, now = new Date(), seconds = false): string {
  const then = new Date(time);
  if (Number.isNaN(then.getTime())) return time;
  if (then.toDateString() === now.toDateString()) return (seconds ? short : minutes).format(then);
  return (then.getFullYear() === now.getFullYear() ? day : year).format(then);
}

// "1 h 5 min", "12 s", "0.4 s"
export function duration(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const hours = Math.floor(seconds / 3600);
  if (hours < 48) return `${hours} h ${Math.floor(seconds % 3600 / 60)} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

export const count = (value: number): string => value.toLocaleString();
export const money = (value: number): string => `$${value.toFixed(value > 0 && value < 1 ? 3 : 2)}`;
export const plural = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;
