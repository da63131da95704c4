package kotlin.coroutines;

/** Stands for Kotlin's own, which the compiler adds as the last parameter of a suspending function. */
public interface Continuation<T> {}
