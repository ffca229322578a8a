import {get, Problem} from './api';
import type {Schedule} from './types';

// Nothing where this server has no schedules.
export async function schedules(): Promise<Schedule[] | undefined> {
  try {
    return (await get<{schedules: Schedule[]}>('/schedules')).schedules;
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined;
    throw error;
  }
}
