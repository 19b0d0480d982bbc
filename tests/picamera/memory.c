/* SPDX-License-Identifier: MIT
 *
 * Memory that devices share, for kernels that have no device to share it with.
 *
 * libcamera asks /dev/dma_heap/... or /dev/udmabuf for its buffers. Where a kernel has neither
 * (containers, most virtual machines), plain memory files do as well, since the virtual camera
 * is no device at all. Loaded with LD_PRELOAD; everything else goes to the C library.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

static int gives_memory(const char *path)
{
    static const char heap[] = "/dev/dma_heap/";
    return path && (!strncmp(path, heap, sizeof heap - 1) || !strcmp(path, "/dev/udmabuf"));
}

static int opened(const char *name, const char *path, int flags, mode_t mode)
{
    if (gives_memory(path))
        return memfd_create("device", MFD_CLOEXEC);
    int (*real)(const char *, int, mode_t) = dlsym(RTLD_NEXT, name);
    return real(path, flags, mode);
}

static mode_t mode_in(int flags, va_list more)
{
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = mode_in(flags, more);
    va_end(more);
    return opened("open", path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = mode_in(flags, more);
    va_end(more);
    return opened("open64", path, flags, mode);
}

int access(const char *path, int wanted)
{
    if (gives_memory(path))
        return 0;
    int (*real)(const char *, int) = dlsym(RTLD_NEXT, "access");
    return real(path, wanted);
}

static int from_heap(struct dma_heap_allocation_data *asked)
{
    int file = memfd_create("buffer", MFD_CLOEXEC);
    if (file < 0)
        return -1;
    if (ftruncate(file, (off_t)asked->len) < 0) {
        close(file);
        return -1;
    }
    asked->fd = (__u32)file;
    return 0;
}

int ioctl(int file, unsigned long request, ...)
{
    va_list more;
    va_start(more, request);
    void *asked = va_arg(more, void *);
    va_end(more);
    if (request == DMA_HEAP_IOCTL_ALLOC)
        return from_heap(asked);
    if (request == UDMABUF_CREATE) /* the memory file that is to be shared is memory already */
        return dup((int)((struct udmabuf_create *)asked)->memfd);
    if (_IOC_TYPE(request) == DMA_BUF_BASE) /* no cache of a device to be kept in step, no names */
        return 0;
    int (*real)(int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");
    return real(file, request, asked);
}
