/** Runs `work` again when it fails, waiting longer each time. Is anything wrong with it? */
export async function retry<T>(work: () => Promise<T>, attempts = 5): Promise<T> {
  let waitMs = 100;
  for (let attempt = 0; attempt <= attempts; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attempts) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * waitMs));
      waitMs *= 2;
    }
  }
  throw new Error('unreachable');
}
